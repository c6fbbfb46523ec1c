import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { date } from '../field/kinds/date.js'
import { select } from '../field/kinds/select.js'
import { defineResource } from '../resource/resource.js'
import { view } from '../resource/view.js'
import { isToldFromNow } from './plain.js'

const tasks = sqliteTable('tasks', { id: integer().primaryKey(), state: varchar(), due: varchar() })
const of = (initial: boolean) =>
  defineResource({
    model: tasks,
    fields: { state: select().options(['open']), due: date() },
    views: [view.board('state'), view.calendar('due', { uri: 'days', initial })],
  })
const asks = (initial: boolean, ...names: string[]) => isToldFromNow(of(initial), new Map(names.length > 0 ? [['view', names]] : []))

// Its page is kept from one request to the next only as long as it would be the same.
test('a list shows today only as a calendar, which is another page tomorrow', () => {
  expect([asks(false, 'days'), asks(true), asks(true, '')]).toEqual([true, true, true])
  expect([asks(false), asks(false, 'board'), asks(true, 'board'), asks(true, 'table'), asks(false, 'other')]).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})
