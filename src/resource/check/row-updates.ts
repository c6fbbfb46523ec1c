import { jsEvent, wireName } from '../../base/event.js'
import { uriOf } from '../condition/declared.js'
import { everyComponent } from '../pages/component.js'
import type { Page } from '../pages/own-page.js'
import { list, type Say } from '../problem.js'
import type { Resource } from '../resource.js'
import { allPages } from './pages.js'

const rowUpdated = wireName('TABLE_ROW_UPDATED')

/** The names of all tables in client events, and whether any table of that name is asynchronous. */
export function asyncTables(resources: ReadonlyMap<string, Resource>, pages: readonly Page[]): ReadonlyMap<string, boolean> {
  const all = [...resources.values()]
  const tables = all.map(({ table, isAsync }) => [table.name, isAsync] as const)
  const ofRecords = all.flatMap(({ related }) => related.map(({ table }) => table))
  for (const components of [...allPages(all, pages).map(([, page]) => page.components), ofRecords])
    for (const one of everyComponent(components)) {
      if (one.is !== 'table') continue
      const of = resources.get(uriOf(one.resource))
      tables.push([one.name, one.async ?? of?.isAsync ?? true])
    }
  return new Map(tables.map(([name]) => [name, tables.some(([other, isAsync]) => other === name && isAsync)]))
}

/** What is wrong with the row updates of fields: those that name a table, and those by an event. */
export function checkRowUpdates({ fields, model, isAsync }: Resource, tables: ReadonlyMap<string, boolean>, say: Say): void {
  for (const field of fields.values()) {
    const { events = [], updateRow } = field.own as { events?: readonly string[]; updateRow?: string }
    if (updateRow === undefined && !events.some((event) => event.startsWith(rowUpdated))) continue
    if (!fields.has(model.key.key))
      say('row-update-id', `fields.${field.key}`, `row updates need an ID field: declare \`${model.key.key}: id()\``)
    if (!isAsync) say('row-update-async', `fields.${field.key}`, 'row updates need asynchronous mode: remove `isAsync: false`')
    if (updateRow !== undefined && !tables.has(updateRow))
      say('row-update-table', `fields.${field.key}`, `no table is named "${updateRow}". Valid: ${list(tables.keys())}`)
    for (const [name, refreshes] of tables) {
      if (refreshes || !isAsync || (name !== updateRow && !events.includes(jsEvent('TABLE_ROW_UPDATED', `${name}-{row-id}`)))) continue
      say(
        'row-update-table',
        `fields.${field.key}`,
        `the table "${name}" is not asynchronous: remove its \`async: false\` or \`isAsync: false\``,
      )
    }
  }
}
