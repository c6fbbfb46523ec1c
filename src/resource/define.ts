import type { Table } from 'drizzle-orm'
import type { Identity } from '../auth/identity.js'
import { humanise } from '../base/humanise.js'
import { settingFaults } from '../base/setting.js'
import type { Bound, Field, RoleRule } from '../field/field.js'
import type { QueryTag } from './action/action.js'
import { bindActions } from './action/bind-action.js'
import { massUpdateOf, massUpdateUri } from './action/mass-update.js'
import type { HasMany } from './components/has-many.js'
import { always, type Condition, condition, isToldFromNow, type Where } from './condition/condition.js'
import type { ActionInputs, ColumnKey, KeyName, MassUpdate, Names, UriOf, Whole } from './condition/declared.js'
import type { ColumnNames, FilterNames, FollowedIn } from './filter-names.js'
import { bindFields, kebab } from './model/bind.js'
import { deriveFields } from './model/derive.js'
import { bindFullText } from './model/full-text.js'
import { importOf } from './model/import-settings.js'
import { withLinks } from './model/link.js'
import { type Column, type Model, modelOf } from './model/model.js'
import { placeColumn } from './model/reorderable.js'
import { hasTextForm } from './model/text-form.js'
import { withTimes } from './model/times.js'
import { fieldsIn, pageReports, type Section, sectionsOf } from './page.js'
import type { DetailPage, KindPage, Page } from './pages/own-page.js'
import { summaryOf } from './pages/summary.js'
import { bindTable } from './pages/table.js'
import type { BoundComputed, Resource, ResourceOf } from './resource.js'
import { allActions, type OwnStore, type Spec } from './settings.js'
import { softDeleteOf } from './soft-delete.js'
import { ofResources } from './spec-settings.js'
import { withTallies } from './tally.js'

/**
 * Declares a resource over a table. `defineResource({ model: cities })` alone works: every column gets a field.
 *
 * @throws TypeError if `model` is not a Drizzle table of SQLite or PostgreSQL, if no column can be the key, or if the condition of a query
 * tag is invalid. `definePanel` reports everything else, at once and with ids
 *
 * @example
 * ```ts
 * import { defineResource, id, number, text } from 'daymark'
 * import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer('id').primaryKey(), name: varchar('name').notNull(), population: integer('population') })
 *
 * export const Cities = defineResource({
 *   model: cities,
 *   fields: { id: id(), name: text('Name').required().searchable(), population: number('Population').min(0).sortable() },
 *   sortColumn: 'population',
 * })
 * ```
 */
export function defineResource<
  const T extends Table,
  F extends Record<string, Field> = Record<never, never>,
  N extends Record<string, keyof Whole<T, F> & string> = Record<never, never>,
  H = Record<never, never>,
  M = Record<never, never>,
  U extends string = UriOf<T>,
  // `& string`: the compiler then lists the names, instead of what they are made of.
  P extends FilterNames<F, T, L> & string = never,
  Q extends string = never,
  I extends ColumnNames<F, T, KeyName<N>> & string = never,
  D extends Names<F, T, KeyName<N>> = never,
  HN extends string = never,
  MN extends string = never,
  UN extends Names<F, T, never> = never,
  L extends HasMany = never,
  S extends FollowedIn<I> = never,
  X extends Names<F, T, never> & ColumnKey<T> = never,
>(
  given: Spec<T, F, N, H, M, U, P, Q, I, D, HN, MN, UN, L, S, X>,
): ResourceOf<T, F, KeyName<N>, ActionInputs<H, HN> & MassUpdate<T, F, UN>, ActionInputs<M, MN>, U, P, Q, I, D, L, S, X> {
  const spec = withoutWrong(given)
  const ownStore = isOwnStore(spec.model) ? spec.model : null
  const plain = modelOf(ownStore ? ownStore.table : (spec.model as T), spec.key)
  const uriKey = spec.uriKey ?? (kebab(plain.name) as U)
  const derived = spec.fields === undefined ? deriveFields(plain) : null
  const declaredFields = derived?.fields ?? new Map(Object.entries(spec.fields as Record<string, Field>))
  const model = withTallies(withLinks(withTimes(plain, declaredFields), declaredFields), declaredFields)
  const reorderable = placeColumn(model, spec.reorderable)
  const fields = bindFields(model, declaredFields, reorderable)
  const computed = new Map<string, BoundComputed>(
    Object.entries<object>(spec.computed ?? {}).map(([key, one]) => [key, Object.freeze({ ...one, key }) as unknown as BoundComputed]),
  )
  const label = (spec.column !== undefined && !model.columns.has(spec.column) && computed.get(spec.column)) || null
  const pages = pagesOf((spec.pages ?? {}) as PagesSpec, fields, computed)
  const { index } = pages.pages
  const softDelete = softDeleteOf(model, spec.softDelete)
  const handlers = new Map(bindActions(spec.handlers ?? {}))
  if (spec.massUpdate?.length) handlers.set(massUpdateUri, massUpdateOf(spec.massUpdate, { fields, model }))
  const scope = spec.scope as ((who: { user: Identity }) => Where<AnyRow>) | undefined
  return Object.freeze({
    uriKey,
    title: spec.title ?? humanise(uriKey),
    singular: spec.singular ?? null,
    icon: spec.icon ?? null,
    model,
    ownStore,
    database: spec.database ?? null,
    column: labelColumn(label?.needs[0] ?? spec.column, model, fields),
    label,
    fields,
    computed,
    display: new Map(Object.entries(spec.display ?? {})) as unknown as Resource['display'],
    derived,
    ...pages,
    related: Object.freeze([...(spec.related ?? [])]),
    filters: Object.freeze([...(spec.filters ?? (derived ? index.filter((key) => fields.has(key)) : []))]),
    sortable: Object.freeze([...(spec.sortable ?? (derived ? index.filter((key) => !fields.has(key) && !computed.has(key)) : []))]),
    summary: summaryOf(spec.summary as Parameters<typeof summaryOf>[0]),
    queryTags: tagsOf((spec.queryTags ?? {}) as Tags, uriKey, model),
    fullText: bindFullText(spec.fullText, model, fields),
    views: Object.freeze([...(spec.views ?? [])]),
    sortColumn: spec.sortColumn || (reorderable ?? model.key).key,
    sortDirection: spec.sortDirection ?? (reorderable && (spec.sortColumn || reorderable.key) === reorderable.key ? 'ASC' : 'DESC'),
    reorderable,
    itemsPerPage: spec.itemsPerPage ?? 25,
    maxItemsPerPage: spec.maxItemsPerPage ?? 100,
    clickAction: spec.clickAction ?? null,
    stickyTable: spec.stickyTable ?? false,
    simplePaginate: spec.simplePaginate ?? false,
    count: spec.count ?? 'exact',
    requireIfMatch: spec.requireIfMatch ?? false,
    usePagination: spec.usePagination ?? true,
    isAsync: spec.isAsync ?? true,
    columnSelection: spec.columnSelection ?? false,
    activeActions: new Set(spec.activeActions ?? allActions),
    maxMassDelete: spec.maxMassDelete ?? 1000,
    version: spec.version ?? null,
    softDelete,
    records: softDelete?.live ?? always,
    trashOf: null,
    history: ruleOf(spec.history),
    comments: spec.comments ?? false,
    ...importOf(spec.import, ruleOf),
    table: bindTable(spec.table, uriKey),
    hooks: Object.freeze({ ...spec.hooks }) as Resource['hooks'],
    validate: (spec.validate ?? null) as Resource['validate'],
    constraints: new Map(Object.entries(spec.constraints ?? {})) as Resource['constraints'],
    handlers,
    methods: bindActions(spec.methods ?? {}),
    indexButtons: Object.freeze([...(spec.indexButtons ?? [])]) as unknown as Resource['indexButtons'],
    buttons: Object.freeze([...(spec.buttons ?? [])]) as unknown as Resource['buttons'],
    can: Object.freeze({ ...spec.can }),
    canRecord: Object.freeze({ ...spec.canRecord }) as Resource['canRecord'],
    scope: scope ? (user: Identity) => condition(scope({ user }), model.columns, null) : null,
    written: Object.freeze({ ...given }) as Resource['written'],
    ...pageReports(uriKey),
  })
}

/** The settings without those of another type: until the start refuses them, they are as if they were left out. */
function withoutWrong<S extends object>(given: S): S {
  const wrong = new Set(settingFaults(given, ofResources).map(({ at }) => at.split(/[.[]/, 1)[0]))
  return wrong.size === 0 ? given : (Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))) as S)
}

type AnyRow = Record<string, unknown>

/** The setting `pages`, whatever the names of the fields. */
interface PagesSpec {
  readonly index?: readonly string[]
  readonly detail?: readonly (string | Section)[]
  readonly form?: readonly (string | Section)[]
  readonly more?: readonly (KindPage | DetailPage | Page)[]
}

/** Which fields the pages have, by default too: the first short ones of a list, all of a record, and what can be written of a form. */
function pagesOf(
  { index, form, detail, more }: PagesSpec,
  fields: Resource['fields'],
  computed: Resource['computed'],
): Pick<Resource, 'pages' | 'sections' | 'details' | 'morePages'> {
  const keysOf = (has: (field: Bound) => boolean) => [...fields.values()].filter(has).map(({ key }) => key)
  const sections = sectionsOf(form ?? keysOf((field) => !field.readOnly))
  const own = sectionsOf(detail ?? [...fields.keys(), ...computed.keys()])
  const further = more ?? []
  const laidOut = further.filter((page): page is DetailPage => 'type' in page && page.type === 'detail' && Array.isArray(page.fields))
  const details = new Map([['detail-page', own], ...laidOut.map((page) => [page.uri, sectionsOf(page.fields)] as const)])
  return {
    pages: Object.freeze({
      index: Object.freeze([...(index ?? keysOf(({ kind }) => !kind.long).slice(0, 8))]),
      detail: fieldsIn(own),
      form: fieldsIn(sections),
    }),
    sections,
    details,
    morePages: new Map(
      further.map((page) => {
        const sections = 'type' in page ? details.get(page.uri) : undefined
        return [page.uri, (sections ? { ...page, fields: fieldsIn(sections) } : page) as KindPage | Page]
      }),
    ),
  }
}

type Tags = Readonly<Record<string, QueryTag<AnyRow>>>

function tagsOf(tags: Tags, uriKey: string, model: Model): Resource['queryTags'] {
  return new Map(
    Object.entries(tags).map(([key, { label, where }]) => [
      key,
      { label, where: tagCondition(uriKey, key, where, model), isToldFromNow: isToldFromNow(where) },
    ]),
  )
}

function tagCondition(uriKey: string, key: string, where: Where<AnyRow>, { columns }: Model): (timeZone: string) => Condition {
  try {
    const fixed = condition(where, columns, 'UTC')
    return isToldFromNow(where) ? (timeZone) => condition(where, columns, timeZone) : () => fixed
  } catch (thrown) {
    throw new TypeError(`The query tag "${key}" of "${uriKey}": ${(thrown as Error).message}`, { cause: thrown })
  }
}

const ruleOf = (rule: RoleRule | undefined): RoleRule => (Array.isArray(rule) ? Object.freeze([...rule]) : (rule ?? false))

function isOwnStore<T extends Table>(model: T | OwnStore<T>): model is OwnStore<T> {
  return (
    typeof model === 'object' && model !== null && 'transaction' in model && typeof model.transaction === 'function' && 'table' in model
  )
}

function labelColumn(named: string | undefined, model: Model, fields: ReadonlyMap<string, Bound>): Column {
  const texts = [...fields.values()].filter((field) => isName(field, model))
  // Copyable text, such as an e-mail address, labels a record only if there is no other text.
  const label = named ?? (texts.find(({ kind }) => !kind.copyable) ?? texts[0])?.key
  return (label === undefined ? undefined : model.columns.get(label)) ?? model.key
}

/** Whether a field's text can label a record: no key or foreign key, no choice, nothing long or secret. */
function isName({ key, kind }: Bound, { columns, key: own }: Model): boolean {
  const column = columns.get(key)
  if (column?.type !== 'text' || column === own || column.primary || column.references || column.options) return false
  if (hasTextForm(column)) return false
  return !kind.long && !kind.secret && !kind.relation && kind.operators.includes('contains')
}
