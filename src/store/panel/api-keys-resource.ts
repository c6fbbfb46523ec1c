import { html } from '../../base/html.js'
import { messagesOf } from '../../base/language.js'
import { type Messages, translator } from '../../base/messages.js'
import { a, type Settings } from '../../base/setting.js'
import { dateTime } from '../../field/kinds/date-time.js'
import { id } from '../../field/kinds/id.js'
import { json } from '../../field/kinds/json.js'
import { switcher } from '../../field/kinds/switcher.js'
import { text } from '../../field/kinds/text.js'
import type { Policy } from '../../resource/action/policy.js'
import { defineResource } from '../../resource/define.js'
import { refuseWrong } from '../../resource/problem.js'
import type { Resource } from '../../resource/resource.js'
import { eq } from './table.js'
import { apiKeys } from './tables.js'

/** The options of `apiKeysResource()`. */
export interface ApiKeysOptions {
  /** The `id` of the panel, since several may share a database. Default: `admin`, as for the panel. */
  readonly panel?: string
  /** Who may see everybody's keys and delete them. Default: `['admin']`. */
  readonly can?: Policy
  /** The name of the resource. Default: `API keys`, in the language of `locale`. */
  readonly title?: string
  /** The language of its labels, as for the panel. Default: `en`. */
  readonly locale?: string
  /** Your own texts for its labels, as for the panel: those whose keys begin with `apiKey.`. Default: none. */
  readonly messages?: Partial<Messages>
}

const settings: Settings<ApiKeysOptions> = { panel: a.text, can: a.value, title: a.text, locale: a.text, messages: a.byName(a.text) }

/**
 * Lists the API keys of all users, without the keys themselves, and deletes them. Nobody can make or change a key here.
 *
 * @example
 * ```ts
 * import { apiKeysResource, definePanel } from 'daymark'
 *
 * export default definePanel({ database: 'sqlite:app.db', resources: [apiKeysResource({ can: ['operator'] })] })
 * ```
 */
export function apiKeysResource(options: ApiKeysOptions = {}): Resource {
  refuseWrong('apiKeysResource()', options, settings)
  const { panel = 'admin', can = ['admin'], title, locale = 'en', messages } = options
  const t = translator(messagesOf(locale, messages))
  const all = defineResource({
    model: apiKeys,
    uriKey: 'api-keys',
    title: title ?? t('apiKey.title'),
    icon: 'key',
    column: 'name',
    sortColumn: 'createdAt',
    fields: {
      id: id(),
      name: text(t('apiKey.name')).searchable(),
      username: text(t('apiKey.user')).searchable().sortable(),
      start: text(t('apiKey.start')),
      readOnly: switcher(t('apiKey.readOnly')),
      roles: json(t('apiKey.roles')),
      createdAt: dateTime(t('apiKey.created')).readOnly().sortable(),
      lastSeenAt: dateTime(t('apiKey.lastSeen')).readOnly().sortable(),
      expiresAt: dateTime(t('apiKey.end')).readOnly().sortable(),
    },
    pages: { index: ['name', 'username', 'start', 'readOnly', 'createdAt', 'lastSeenAt', 'expiresAt'] },
    filters: ['username', 'readOnly', 'createdAt', 'lastSeenAt', 'expiresAt'],
    display: {
      start: (start) => html`<code>${start}…</code>`,
      roles: (roles) => (Array.isArray(roles) ? roles.join(', ') : ''),
    },
    clickAction: 'DETAIL',
    activeActions: ['view', 'delete', 'massDelete'],
    can: { viewAny: can, view: can, delete: can, massDelete: can },
  })
  // No user of one panel sees the keys of another one.
  return Object.freeze({ ...all, records: eq('panel', panel) })
}
