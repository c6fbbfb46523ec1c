import * as z from 'zod'
import { html } from '../../base/html.js'
import { messagesOf } from '../../base/language.js'
import { type Messages, translator } from '../../base/messages.js'
import { a, type Settings } from '../../base/setting.js'
import type { Json } from '../../field/field.js'
import { controlAttributes, defineKind } from '../../field/kind.js'
import { dateTime } from '../../field/kinds/date-time.js'
import { id } from '../../field/kinds/id.js'
import { select } from '../../field/kinds/select.js'
import { text } from '../../field/kinds/text.js'
import type { Policy } from '../../resource/action/policy.js'
import { defineResource } from '../../resource/define.js'
import { refuseWrong } from '../../resource/problem.js'
import type { Resource } from '../../resource/resource.js'
import type { Changes } from './history.js'
import { history } from './tables.js'

const entriesOf = (kept: string) => Object.entries(JSON.parse(kept) as Changes)
const linesOf = (kept: string) =>
  entriesOf(kept)
    .map(([field, values]) => `${field}: ${values.every((value) => value === null) ? '•••' : values.map(valueText).join(' → ')}`)
    .join('\n')
const valueText = (value: Json) => (value === null ? '–' : JSON.stringify(value))

/** The values of all fields before and after, whoever may see them. */
const changesField = defineKind<string>({
  name: 'changes',
  columns: ['text'],
  operators: [],
  long: true,
  schema: () => z.record(z.string(), z.strictObject({ before: z.unknown(), after: z.unknown() })),
  wire: (kept) => Object.fromEntries(entriesOf(kept).map(([field, [before, after]]) => [field, { before, after }])),
  text: linesOf,
  input: (typed, field, ctx) => html`<textarea${controlAttributes(field, ctx)}>${typed}</textarea>`,
})

/** The options of `historyResource()`. */
export interface HistoryOptions {
  /** Who may see it, with the values of every field. Default: `['admin']`. */
  readonly can?: Policy
  /** The name of the resource. Default: `Changes`, in the language of `locale`. */
  readonly title?: string
  /** The language of its labels, as for the panel. Default: `en`. */
  readonly locale?: string
  /** Your own texts for its labels, as for the panel: those whose keys begin with `history.`. Default: none. */
  readonly messages?: Partial<Messages>
}

const settings: Settings<HistoryOptions> = { can: a.value, title: a.text, locale: a.text, messages: a.byName(a.text) }

/**
 * Lists the changes of all resources with `history`, deleted records included. It has the values of every field, so give it only to users
 * who may see all of them. Nobody can change it.
 *
 * @example
 * ```ts
 * import { definePanel, historyResource } from 'daymark'
 *
 * export default definePanel({ database: 'sqlite:app.db', resources: [historyResource({ can: ['auditor'] })] })
 * ```
 */
export function historyResource(options: HistoryOptions = {}): Resource {
  refuseWrong('historyResource()', options, settings)
  const { can = ['admin'], title, locale = 'en', messages } = options
  const t = translator(messagesOf(locale, messages))
  return defineResource({
    model: history,
    uriKey: 'history',
    title: title ?? t('history.changes'),
    icon: 'clock',
    column: 'record',
    fields: {
      id: id(),
      at: dateTime(t('history.at')),
      userName: text(t('history.user')).searchable(),
      action: select(t('history.action'))
        .options({
          create: t('history.created'),
          update: t('history.updated'),
          delete: t('history.deleted'),
          restore: t('history.restored'),
        })
        .tones({ create: 'good', update: 'info', delete: 'bad', restore: 'good' }),
      of: text(t('history.table')),
      record: text(t('history.record')).searchable(),
      userId: text(t('history.userId')).readOnly(),
      changes: changesField(t('history.changes')),
    },
    // A card on a phone has room for the three behind the time.
    pages: { index: ['id', 'at', 'record', 'action', 'userName', 'of', 'changes'] },
    filters: ['at', 'userName', 'action', 'of', 'record', 'userId'],
    count: 'capped',
    clickAction: 'DETAIL',
    activeActions: ['view'],
    can: { viewAny: can, view: can },
  })
}
