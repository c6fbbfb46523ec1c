import { a, type Settings } from '../base/setting.js'
import { aField } from '../field/taking.js'
import { aButton, anIndexButton, type QueryTag, theHandlers, theMethods } from './action/action.js'
import type { FullTextSettings } from './model/full-text.js'
import { aCondition, aPage, madeWith, markup } from './model/sorts.js'
import { pageTypes } from './page.js'
import type { KindPage } from './pages/own-page.js'
import type { TableSettings } from './pages/table.js'
import { allActions, type Computed, type Spec } from './settings.js'

const names = a.list(a.text)
const aSection = a.form({ section: a.text, fields: names }, 'section', 'fields')
const aPart = a.either(markup, a.function)

const ofTables: Settings<TableSettings<never>> = {
  name: a.text,
  trAttributes: a.function,
  tdAttributes: a.function,
  thead: aPart,
  tbody: aPart,
  tfoot: aPart,
  tbodyBefore: aPart,
  tbodyAfter: aPart,
}

const ofComputed: Settings<Computed<never>> = {
  label: a.text,
  needs: names,
  decimals: a.value,
  currency: a.value,
  minor: a.switch,
  unit: a.value,
  value: a.function,
}

// What else is in `fields`, their check tells.
const ofMore: Settings<KindPage> = {
  uri: a.text,
  title: a.text,
  type: a.literal(...pageTypes),
  fields: a.value,
  where: aCondition,
  can: a.value,
}

/** What the settings of a resource may be. `a.value`: the check that the setting has of its own says more. */
export const ofResources: Settings<Spec<never, never, never, never, never>> = {
  model: a.value,
  key: a.text,
  uriKey: a.text,
  title: a.text,
  singular: a.text,
  icon: a.value,
  database: a.either(a.text, a.object),
  column: a.text,
  fields: a.byName(aField),
  computed: a.byName(a.form(ofComputed, 'label', 'needs', 'value')),
  display: a.byName(a.function),
  pages: a.partly({
    index: names,
    detail: a.list(a.either(a.text, aSection)),
    form: a.list(a.either(a.text, aSection)),
    more: a.list(a.either(aPage, a.form(ofMore, 'uri', 'title', 'type'))),
  }),
  related: a.list(madeWith('a list of related records, such as hasMany()', 'table', 'inForm')),
  filters: names,
  sortable: names,
  summary: a.byName(a.either(a.text, names)),
  queryTags: a.byName(a.form<QueryTag<never>>({ label: a.text, where: aCondition }, 'label', 'where')),
  fullText: a.either(a.switch, a.form<FullTextSettings>({ table: a.text, language: a.text })),
  views: a.list(madeWith('a view, such as view.board()', 'field', 'card')),
  sortColumn: a.text,
  sortDirection: a.literal('ASC', 'DESC'),
  reorderable: a.text,
  itemsPerPage: a.value,
  maxItemsPerPage: a.value,
  clickAction: a.literal('SELECT', 'DETAIL', 'EDIT', null),
  stickyTable: a.switch,
  simplePaginate: a.switch,
  count: a.literal('exact', 'capped'),
  requireIfMatch: a.switch,
  usePagination: a.switch,
  isAsync: a.switch,
  columnSelection: a.switch,
  activeActions: a.list(a.literal(...allActions)),
  maxMassDelete: a.value,
  massUpdate: names,
  version: a.text,
  softDelete: a.text,
  history: a.value,
  comments: a.switch,
  import: a.value,
  table: a.form(ofTables),
  hooks: a.value,
  validate: a.value,
  constraints: a.object,
  handlers: theHandlers,
  methods: theMethods,
  indexButtons: a.list(anIndexButton),
  buttons: a.list(aButton),
  can: a.value,
  canRecord: a.value,
  scope: a.value,
}
