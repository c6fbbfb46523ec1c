import { jsEvent } from '../base/event.js'
import { messagesOf } from '../base/language.js'
import { type Messages, type Translate, translator } from '../base/messages.js'
import { numberText } from '../base/number.js'
import { a, type Settings } from '../base/setting.js'
import type { Bound } from '../field/field.js'
import { dateTime } from '../field/kinds/date-time.js'
import { switcher } from '../field/kinds/switcher.js'
import type { HandlerContext } from './action/action.js'
import { type BoundAction, bindActions, type Words } from './action/bind-action.js'
import { ofRecord } from './action/of-record.js'
import type { Policy } from './action/policy.js'
import { bindFields } from './model/bind.js'
import { pageReports } from './page.js'
import { bindTable } from './pages/table.js'
import { refuseWrong } from './problem.js'
import type { Resource } from './resource.js'
import type { SoftDelete } from './soft-delete.js'

/** The options of `trashResource()`. */
export interface TrashOptions {
  /**
   * Who may see, restore and finally delete what was deleted. Default: whoever may see and `delete` records, as the resource says, else the
   * panel.
   */
  readonly can?: Policy
  /** `{resourceUri}` in its paths. Default: that of the resource with `-trash`. */
  readonly uriKey?: string
  /** Its name. Default: that of the resource with `: trash`, in the language of `locale`. */
  readonly title?: string
  /** The language of its labels, as for the panel. Default: `en`. */
  readonly locale?: string
  /** Your own texts for its labels, as for the panel: those whose keys begin with `trash.`. Default: none. */
  readonly messages?: Partial<Messages>
}

const settings: Settings<TrashOptions> = { can: a.value, uriKey: a.text, title: a.text, locale: a.text, messages: a.byName(a.text) }

/**
 * Lists the deleted records of a resource with `softDelete`, to restore them or to delete them for good. It shows the same fields to the
 * same users, within the same `scope`. The list of the resource leads to it.
 *
 * @throws TypeError for a resource without `softDelete`
 *
 * @example
 * ```ts
 * import { definePanel, defineResource, trashResource } from 'daymark'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const contracts = sqliteTable('contracts', {
 *   id: integer().primaryKey(),
 *   customer: text().notNull(),
 *   deletedAt: integer('deleted_at', { mode: 'timestamp' }),
 * })
 *
 * const Contracts = defineResource({ model: contracts, softDelete: 'deletedAt' })
 *
 * export default definePanel({ database: 'sqlite:app.db', resources: [Contracts, trashResource(Contracts)] })
 * ```
 */
export function trashResource(of: Resource, options: TrashOptions = {}): Resource {
  refuseWrong('trashResource()', options, settings)
  const { can, uriKey, title, locale = 'en', messages } = options
  const soft = of.softDelete
  if (!soft) throw new TypeError(`trashResource() of "${of.uriKey}": the resource has no \`softDelete\`, or a column that cannot be it`)
  const t = translator(messagesOf(locale, messages))
  const uri = uriKey ?? `${of.uriKey}-trash`
  const fields = withField(of, soft, t('trash.deletedAt'))
  const { key } = soft.column
  const isTime = soft.column.type !== 'boolean'
  // A resource that hides the column may have it in none of its pages. All of these records have the same boolean.
  const shown = (names: readonly string[]) => Object.freeze([...names.filter((name) => name !== key), ...(isTime ? [key] : [])])
  const restore = { label: t('trash.restore'), handler: 'restore', icon: 'undo' } as const
  return Object.freeze({
    ...of,
    uriKey: uri,
    title: title ?? t('trash.of', { title: of.title }),
    icon: 'delete',
    fields,
    pages: Object.freeze({ ...of.pages, index: shown(of.pages.index), detail: shown(of.pages.detail) }),
    morePages: new Map(),
    related: Object.freeze([]),
    queryTags: new Map(),
    views: Object.freeze([]),
    filters: isTime && !of.filters.includes(key) ? Object.freeze([...of.filters, key]) : of.filters,
    sortColumn: isTime ? key : of.sortColumn,
    sortDirection: isTime ? 'DESC' : of.sortDirection,
    reorderable: null,
    clickAction: of.clickAction === 'EDIT' ? 'DETAIL' : of.clickAction,
    // There is room for menus in its rows then.
    usePagination: true,
    activeActions: new Set([...of.activeActions].filter((one) => one === 'view' || one === 'delete' || one === 'massDelete')),
    import: false,
    table: bindTable(undefined, uri),
    handlers: new Map([['restore', restoring(of, soft, uri, { t, locale })]]),
    methods: new Map(),
    indexButtons: Object.freeze([restore, { ...restore, bulk: true }]),
    buttons: Object.freeze([{ ...restore, on: 'detail', tone: 'primary' } as const]),
    can: policies(of, can),
    softDelete: null,
    records: soft.deleted,
    trashOf: of,
    written: Object.freeze(can === undefined ? {} : { can: policies(of, can) }),
    ...pageReports(uri),
  } satisfies Resource)
}

/** The fields of the resource, and the one that says when a record was deleted. */
function withField(of: Resource, { column }: SoftDelete, label: string): ReadonlyMap<string, Bound> {
  const own = of.fields.get(column.key)
  if (own && own.visible !== false) return of.fields
  const field = (column.type === 'boolean' ? switcher(label) : dateTime(label).sortable()).readOnly()
  return new Map([...of.fields, ...bindFields(of.model, new Map([[column.key, field]]))])
}

/** Those of the resource. Whoever may not delete is let in by none of them. */
function policies(of: Resource, can: Policy | undefined): Resource['can'] {
  return can === undefined ? of.can : Object.freeze({ viewAny: can, view: can, delete: can, massDelete: can })
}

type Record_ = Record<string, unknown>

/** The language of a trash. */
interface Language {
  readonly t: Translate
  readonly locale: string
}

/** The handler that restores the selected records: by a write like any other, with its hooks, its rules and its history. */
function restoring(of: Resource, { restoring }: SoftDelete, uri: string, { t, locale }: Language): BoundAction {
  const declared = { label: t('trash.restore'), ability: 'delete', selection: 'required', run: () => {} } as const
  return Object.freeze({
    ...(bindActions({ restore: declared }).get('restore') as BoundAction),
    async run({ selected, unrestricted, total }: HandlerContext<Record_, Record_, unknown>, { titleOf }: Words) {
      let count = 0
      let title = ''
      for await (const some of selected())
        for (const record of some) {
          title = titleOf(record)
          try {
            await unrestricted.update(record[of.model.key.key] as string, restoring)
          } catch (thrown) {
            throw total > 1 ? ofRecord(thrown, title, t) : thrown
          }
          count += 1
        }
      return {
        message: count === 1 ? t('trash.restoredOne', { title }) : t('trash.restoredMany', { count: numberText(locale, count) }),
        events: [jsEvent('TABLE_UPDATED', `index-table-${uri}`)],
      }
    },
  })
}

/** The trash of a resource among those of a panel; null: it has none. */
export function trashIn(resources: ReadonlyMap<string, Resource>, of: Resource): Resource | null {
  if (!of.softDelete) return null
  for (const one of resources.values()) if (one.trashOf === of) return one
  return null
}
