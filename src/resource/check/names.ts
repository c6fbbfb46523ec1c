import { storedIn } from '../model/model.js'
import { placeFault } from '../model/reorderable.js'
import { reservedPageUris } from '../page.js'
import { type SummaryOf, summaries, summaryFault } from '../pages/summary.js'
import { list, type Say } from '../problem.js'
import { columnFault, type Known, sortFault, throughFault } from '../relation/through.js'
import type { Resource } from '../resource.js'
import { softDeleteFault } from '../soft-delete.js'
import { unsortedText } from '../unsorted.js'
import { massUpdateFaults } from './mass-update.js'

/** What is wrong with the names that a resource gives: of fields in pages and filters, and of columns for what it does with them. */
export function checkNames(resource: Resource, say: Say): void {
  checkPageNames(resource, say)
  checkFilterNames(resource, say)
  for (const [name, fault] of massUpdateFaults(resource)) say('mass-update', 'massUpdate', `"${name}" ${fault}`)
  checkSortColumn(resource, say)
  checkVersion(resource, say)
  checkLabel(resource, say)
  checkSoftDelete(resource, say)
  checkReorderable(resource, say)
  checkSummary(resource, say)
}

function checkPageNames(resource: Resource, say: Say): void {
  const { pages, fields, computed, written } = resource
  const readable = [...fields.keys(), ...computed.keys()]
  for (const [page, names] of Object.entries(pages)) {
    for (const name of names)
      if (!readable.includes(name) && !(page === 'index' && isFollowed(resource, name)))
        say('page-field', `pages.${page}`, `"${name}" is not declared. Valid: ${list(readable)}`)
    const twice = names.find((name, i) => names.indexOf(name) !== i)
    if (twice) say('page-field', `pages.${page}`, `"${twice}" is listed twice`)
  }
  for (const page of Object.keys((written.pages as object | undefined) ?? {})) {
    if ((reservedPageUris as readonly string[]).includes(page))
      say('page-uri', `pages.${page}`, `"${page}" is a route of the panel; choose another one. Reserved: ${list(reservedPageUris)}`)
    else if (page !== 'more' && !(page in pages))
      say('page-unknown', `pages.${page}`, `there is no such page. Valid: ${list([...Object.keys(pages), 'more'])}`)
  }
}

function checkFilterNames({ filters, fields }: Resource, say: Say): void {
  for (const name of filters) {
    if (!fields.has(name) && !name.includes('.')) say('filter', 'filters', `"${name}" is not declared. Valid: ${list(fields.keys())}`)
    // A filter's name is in brackets.
    if (name.includes(']'))
      say('filter', 'filters', `no URL can ask for "${name}", because of its ]: rename the key in the schema, or leave it out`)
  }
}

function checkSortColumn(resource: Resource, say: Say): void {
  const { sortColumn, sortable, model } = resource
  const unsorted = unsortedText(resource, sortColumn)
  if (unsorted !== null && sortColumn !== model.key.key && !sortable.includes(sortColumn)) say('sort-column', 'sortColumn', unsorted)
}

function checkVersion({ model, version }: Resource, say: Say): void {
  const stored = storedIn(model)
  if (version !== null && !stored.includes(version))
    say('version-column', 'version', `"${version}" is not a column. Valid: ${list(stored)}`)
}

function checkLabel({ written, model, fields, computed, label }: Resource, say: Say): void {
  const name = written.column as string | undefined
  if (name === undefined || label) return
  const stored = storedIn(model)
  // A text may be a key that people read, such as a code.
  const leads = (key: string) => {
    const column = model.columns.get(key)
    return column !== model.key && column?.type !== 'text' && (fields.get(key)?.kind.relation === true || Boolean(column?.references))
  }
  if (!stored.includes(name))
    say('label-column', 'column', `"${name}" is neither a column nor a computed value. Valid: ${list([...stored, ...computed.keys()])}`)
  else if (leads(name))
    say(
      'label-column',
      'column',
      `"${name}" is a relation: records would be called by the key of another one. Valid: ${list(stored.filter((key) => !leads(key)))}`,
    )
}

function checkSoftDelete({ written, model }: Resource, say: Say): void {
  const name = written.softDelete as string | undefined
  if (name === undefined) return
  const column = model.columns.get(name)
  const valid = [...model.columns.values()].filter((one) => softDeleteFault(one) === null).map(({ key }) => key)
  if (!column) say('soft-delete', 'softDelete', `"${name}" is not a column. Valid: ${list(valid)}`)
  else {
    const fault = softDeleteFault(column)
    if (fault !== null) say('soft-delete', 'softDelete', `the column "${name}" ${fault}. Valid: ${list(valid)}`)
  }
}

function checkReorderable({ written, model, fields, activeActions }: Resource, say: Say): void {
  const name = written.reorderable as string | undefined
  if (name === undefined) return
  const tell = (text: string) => say('reorderable', 'reorderable', text)
  const column = model.columns.get(name)
  const valid = [...model.columns.values()].filter((one) => placeFault(model, one) === null).map(({ key }) => key)
  const fault = column && placeFault(model, column)
  if (!column) tell(`"${name}" is not a column. Valid: ${list(valid)}`)
  else if (fault) tell(`the column "${name}" ${fault}. Valid: ${list(valid)}`)
  else if (!fields.has(name)) tell(`"${name}" is not declared as a field, and lists can only be sorted by declared fields`)
  else if (!activeActions.has('update')) tell('`activeActions` has no `update`, so nobody could put the records in another order')
}

function checkSummary({ written, fields }: Resource, say: Say): void {
  const spec = (written.summary ?? {}) as { readonly [column: string]: SummaryOf | readonly SummaryOf[] }
  for (const [name, of] of Object.entries(spec)) {
    const at = `summary.${name}`
    const field = fields.get(name)
    const fault = field && summaryFault(field)
    const valid = [...fields.values()].filter((one) => summaryFault(one) === null).map(({ key }) => key)
    if (!field) say('summary', at, `"${name}" is not declared as a field. Valid: ${list(valid)}`)
    else if (fault) say('summary', at, `the field ${fault}. Valid: ${list(valid)}`)
    for (const one of [of].flat()) if (!summaries.includes(one)) say('summary', at, `"${one}" is none of ${list(summaries)}`)
  }
}

/** What is wrong with names that follow relations, which is known once all relations are. */
export function checkThroughs(resource: Resource, known: Known, say: Say): void {
  for (const name of resource.filters) {
    const fault = resource.fields.has(name) || !name.includes('.') ? null : throughFault(resource, name, known)
    if (fault !== null) say('filter', 'filters', fault)
  }
  for (const name of resource.pages.index) {
    const fault = isFollowed(resource, name) ? columnFault(resource, name, known) : null
    if (fault !== null) say('page-field', 'pages.index', fault)
  }
  for (const name of (resource.written.sortable as readonly string[] | undefined) ?? []) {
    const fault = sortFault(resource, name, known)
    if (fault !== null) say('sortable', 'sortable', fault)
  }
}

/** Whether a name of the index page means what a relation leads to. */
const isFollowed = ({ fields, computed }: Resource, name: string) => name.includes('.') && !fields.has(name) && !computed.has(name)
