import * as z from 'zod'
import { jsEvent } from '../../base/event.js'
import { html } from '../../base/html.js'
import { messagesOf } from '../../base/language.js'
import { type Messages, translator } from '../../base/messages.js'
import { a, type Settings } from '../../base/setting.js'
import type { Json } from '../../field/field.js'
import { controlAttributes, defineKind } from '../../field/kind.js'
import { dateTime } from '../../field/kinds/date-time.js'
import { id } from '../../field/kinds/id.js'
import { number } from '../../field/kinds/number.js'
import { select } from '../../field/kinds/select.js'
import { text } from '../../field/kinds/text.js'
import type { Policy } from '../../resource/action/policy.js'
import { defineResource } from '../../resource/define.js'
import { refuseWrong } from '../../resource/problem.js'
import type { Resource } from '../../resource/resource.js'
import { eq } from './table.js'
import { deliveries } from './tables.js'

const tones = { waiting: '', sent: 'good', failed: 'bad' } as const

const linesOf = (body: string) => JSON.stringify(JSON.parse(body), null, 2)

/** The JSON of a message. */
const bodyField = defineKind<string>({
  name: 'message',
  columns: ['text'],
  operators: [],
  long: true,
  schema: () => z.record(z.string(), z.unknown()),
  wire: (body) => JSON.parse(body) as Json,
  text: linesOf,
  cell: (body) => html`<span class="text-block">${linesOf(body)}</span>`,
  input: (typed, field, ctx) => html`<textarea${controlAttributes(field, ctx)}>${typed}</textarea>`,
})

/** The options of `webhooksResource()`. */
export interface WebhooksOptions {
  /** The `id` of the panel, since several may share a database. Default: `admin`, as for the panel. */
  readonly panel?: string
  /** Who may see the messages, with what they say of records, and send them again. Default: `['admin']`. */
  readonly can?: Policy
  /** The name of the resource. Default: `Webhooks`, in the language of `locale`. */
  readonly title?: string
  /** The language of its labels, as for the panel. Default: `en`. */
  readonly locale?: string
  /** Your own texts for its labels, as for the panel: those whose keys begin with `webhooks.`. Default: none. */
  readonly messages?: Partial<Messages>
}

const settings: Settings<WebhooksOptions> = { panel: a.text, can: a.value, title: a.text, locale: a.text, messages: a.byName(a.text) }

/**
 * Lists the messages to webhooks: those that wait, and for some time those that were sent, or have failed. It has what they say of records,
 * so give it only to users who may see that.
 *
 * @example
 * ```ts
 * import { definePanel, webhooksResource } from 'daymark'
 *
 * export default definePanel({ database: 'sqlite:app.db', resources: [webhooksResource({ can: ['operator'] })] })
 * ```
 */
export function webhooksResource(options: WebhooksOptions = {}): Resource {
  refuseWrong('webhooksResource()', options, settings)
  const { panel = 'admin', can = ['admin'], title, locale = 'en', messages } = options
  const t = translator(messagesOf(locale, messages))
  const hasEnded = ({ record }: { readonly record: { readonly dueAt: Date | null } }) => record.dueAt === null
  const all = defineResource({
    model: deliveries,
    uriKey: 'webhooks',
    title: title ?? t('webhooks.title'),
    icon: 'paper-airplane',
    column: 'type',
    sortColumn: 'createdAt',
    fields: {
      id: id(),
      type: text(t('webhooks.type')).searchable(),
      record: text(t('webhooks.record')).searchable(),
      webhook: text(t('webhooks.webhook')),
      state: select(t('webhooks.state')).options({
        waiting: t('webhooks.waiting'),
        sent: t('webhooks.sent'),
        failed: t('webhooks.failed'),
      }),
      said: text(t('webhooks.said')),
      attempts: number(t('webhooks.attempts')),
      createdAt: dateTime(t('webhooks.created')).readOnly().sortable(),
      dueAt: dateTime(t('webhooks.due')).readOnly(),
      endedAt: dateTime(t('webhooks.ended')).readOnly(),
      body: bodyField(t('webhooks.body')),
    },
    pages: { index: ['type', 'record', 'webhook', 'state', 'said', 'attempts', 'createdAt'] },
    filters: ['state', 'webhook', 'type', 'record', 'createdAt'],
    display: {
      state: (state) => html`<span class="badge ${tones[state]}">${t(`webhooks.${state}`)}</span>`,
    },
    count: 'capped',
    clickAction: 'DETAIL',
    activeActions: ['view'],
    can: { viewAny: can, view: can },
    handlers: {
      again: {
        label: t('webhooks.again'),
        selection: 'required',
        ability: 'view',
        async run({ selected, unrestricted }) {
          let count = 0
          for await (const some of selected()) {
            for (const { id, dueAt } of some) {
              // What waits, or is being sent just now, is sent anyway.
              if (dueAt !== null) continue
              await unrestricted.update(id, { state: 'waiting', attempts: 0, dueAt: new Date(), endedAt: null })
              count++
            }
          }
          return { message: t('webhooks.isAgain', { count: String(count) }), events: [jsEvent('TABLE_UPDATED', 'index-table-webhooks')] }
        },
      },
    },
    indexButtons: [
      { label: t('webhooks.again'), handler: 'again', icon: 'arrow-path', bulk: true },
      { label: t('webhooks.again'), handler: 'again', icon: 'arrow-path', visible: hasEnded },
    ],
    buttons: [{ label: t('webhooks.again'), handler: 'again', icon: 'arrow-path', on: 'detail', visible: hasEnded }],
  })
  // No user of one panel sees what another one tells.
  return Object.freeze({ ...all, records: eq('panel', panel) })
}
