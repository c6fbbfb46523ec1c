import * as pg from 'drizzle-orm/pg-core'
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { shapeOf } from './model.js'

// With `casing: 'snake_case'`, what is named by its key has another name in the database, which may then be that of another column.
test('a column is not taken for one whose name in the database is its key', () => {
  const people = sqliteTable('people', { old: text('userId').unique(), userId: text().primaryKey() })
  const posts = sqliteTable('posts', { before: text('userId'), userId: text().references(() => people.userId) }, (table) => [
    uniqueIndex('posts_user').on(table.userId),
  ])
  const { columns, uniques } = shapeOf(posts)
  expect(columns.get('userId')?.references).toMatchObject({ table: people, key: 'userId' })
  expect(columns.get('before')?.references).toBeNull()
  expect(uniques).toEqual([['userId']])
})

test('neither is one of a table of PostgreSQL, whose constraints have copies of its columns', () => {
  const people = pg.pgTable('people', { old: pg.text('userId'), userId: pg.text() }, (table) => [
    pg.primaryKey({ columns: [table.userId] }),
  ])
  const posts = pg.pgTable('posts', { before: pg.text('userId'), userId: pg.text() }, (table) => [
    pg.foreignKey({ columns: [table.userId], foreignColumns: [people.userId] }),
    pg.uniqueIndex('posts_user').on(table.userId),
    pg.unique('posts_before').on(table.before),
  ])
  const { columns, uniques } = shapeOf(posts)
  expect(shapeOf(people).columns.get('userId')?.primary).toBe(true)
  expect(columns.get('userId')?.references).toMatchObject({ table: people, key: 'userId' })
  expect(columns.get('before')?.references).toBeNull()
  expect(uniques).toEqual([['before'], ['userId']])
})
