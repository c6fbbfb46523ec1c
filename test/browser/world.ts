import { belongsTo, definePanel, defineResource, hasMany, id, number, type Panel, switcher, text } from 'daymark'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { BaseSQLiteDatabase, integer, SQLiteSyncDialect, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { closeContext, launchBrowser } from '../support/browser.js'

/** A small panel whose rows a test can change behind its back. */
export interface ScriptWorld {
  readonly base: string
  readonly panel: Panel
  readonly db: Libsql.Database
  close(): Promise<void>
}

const towns = sqliteTable('towns', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  people: integer().notNull().default(0),
  open: integer({ mode: 'boolean' }).notNull().default(false),
})
const words = sqliteTable('words', { word: varchar().primaryKey(), loud: integer({ mode: 'boolean' }).notNull().default(false) })
const plains = sqliteTable('plains', { id: integer().primaryKey(), name: varchar().notNull() })

const districts = sqliteTable('districts', { id: integer().primaryKey(), name: varchar().notNull() })
const streets = sqliteTable('streets', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  districtId: integer('district_id')
    .notNull()
    .references(() => districts.id),
})

/** Keys that an address, an attribute, a selector or the name of an event could stumble over. */
export const oddWords = ['a b', 'say "hi"', "it's", 'x/y', '<b>', '100%', '{row-id}', 'ü😀', '7-8', '#a.b[c]']

export async function openScriptWorld(): Promise<ScriptWorld> {
  const db = new Libsql(':memory:')
  db.exec(
    'create table towns (id integer primary key, name text not null, people integer not null default 0, open integer not null default 0)',
  )
  db.exec('create table words (word text primary key not null, loud integer not null default 0)')
  db.exec('create table plains (id integer primary key, name text not null)')
  db.exec('create table districts (id integer primary key, name text not null)')
  db.exec('create table streets (id integer primary key, name text not null, district_id integer not null references districts (id))')
  db.exec("insert into districts values (1, 'North'), (2, 'South')")
  db.exec("insert into streets values (1, 'High Street', 1)")
  const town = db.prepare('insert into towns values (?, ?, ?, ?)')
  for (let i = 1; i <= 60; i++) town.run(i, `Town ${String(i).padStart(2, '0')}`, i * 100, i % 2)
  for (const word of oddWords) db.prepare('insert into words values (?, 0)').run(word)
  for (let i = 1; i <= 40; i++) db.prepare('insert into plains values (?, ?)').run(i, `Plain ${i}`)
  const panel = definePanel({
    auth: 'open',
    database: drizzle(db),
    secret: 'of these tests',
    resources: [
      defineResource({
        model: towns,
        title: 'Towns',
        fields: {
          id: id(),
          name: text('Name').required().sortable().searchable(),
          people: number('People').min(0).sortable(),
          open: switcher('Open').updateOnPreview().updateRow('towns-table'),
        },
        filters: ['name', 'open'],
        queryTags: { big: { label: 'Big', where: { people: { gte: 3000 } } } },
        sortColumn: 'id',
        sortDirection: 'ASC',
        itemsPerPage: 20,
        clickAction: 'DETAIL',
        table: { name: 'towns-table', trAttributes: (town, row) => ({ class: `row-${row} ${town.open ? 'is-open' : ''}`.trim() }) },
        canRecord: { update: ({ record }) => record.name !== 'Town 03' },
      }),
      defineResource({
        model: words,
        title: 'Words',
        fields: { word: id(), loud: switcher('Loud').updateOnPreview().updateRow('index-table-words') },
        clickAction: 'SELECT',
      }),
      defineResource({
        model: plains,
        title: 'Plains',
        fields: { id: id(), name: text('Name').sortable().searchable() },
        isAsync: false,
        clickAction: 'EDIT',
      }),
      defineResource({
        model: districts,
        title: 'Districts',
        fields: { id: id(), name: text('Name').searchable() },
        related: [
          hasMany('streets', { columns: ['name'], sort: 'name', perPage: 2 }),
          hasMany('streets', { name: 'last', title: 'Last', columns: ['name'], sort: '-name', perPage: 2 }),
        ],
        handlers: {
          rename: {
            label: 'Rename',
            async run({ ids, update }) {
              await update(ids[0] as string, { name: 'Renamed' })
            },
          },
        },
        buttons: [{ label: 'Rename', handler: 'rename', on: 'detail' }],
      }),
      defineResource({
        model: streets,
        title: 'Streets',
        fields: { id: id(), name: text('Name').required().sortable(), districtId: belongsTo('District', districts) },
        filters: ['districtId'],
      }),
    ],
  })
  const listening = await panel.listen({ port: 0 })
  return {
    base: listening.url,
    panel,
    db,
    async close() {
      await listening.close()
      await panel.close()
      db.close()
    },
  }
}

/** What the tests of a file have: its world and its browser, and a page for each of them. */
export interface Now {
  readonly world: ScriptWorld
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
}

/** Opens a world and a browser for the tests of a file, and a page before each; `hand` is told them. */
export function eachOnItsPage(hand: (now: Now) => void): { go(path: string): Promise<void>; isSame(): Promise<unknown> } {
  let world: ScriptWorld
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    ;[world, browser] = await Promise.all([openScriptWorld(), launchBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })
  beforeEach(async () => {
    await Promise.all(browser.contexts().map(closeContext))
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    page = await context.newPage()
    page.setDefaultTimeout(10_000)
    hand({ world, browser, context, page })
  })
  return {
    /** Opens a page and marks it: a reload takes the mark away. */
    async go(path) {
      await page.goto(world.base + path)
      await page.evaluate("document.documentElement.dataset.same = 'yes'")
    },
    isSame: () => page.evaluate("document.documentElement.dataset.same === 'yes'"),
  }
}

/** From here on nothing that a page asks for arrives. `setOffline` may come into force after the next request has gone out; this does not. */
export function cutNetwork(context: BrowserContext): Promise<unknown> {
  return context.route('**', (route) => route.abort('internetdisconnected'))
}

export function mendNetwork(context: BrowserContext): Promise<void> {
  return context.unroute('**')
}

/** A list whose rows all stand on one page. */
export async function openLongWorld(rows: number): Promise<Pick<ScriptWorld, 'base' | 'db' | 'close'>> {
  const db = new Libsql(':memory:')
  db.exec(
    'create table towns (id integer primary key, name text not null, people integer not null default 0, open integer not null default 0)',
  )
  const town = db.prepare('insert into towns values (?, ?, ?, ?)')
  db.transaction(() => {
    for (let i = 1; i <= rows; i++) town.run(i, `Town ${i}`, i * 100, i % 2)
  })()
  const panel = definePanel({
    auth: 'open',
    database: drizzle(db),
    secret: 'of these tests',
    resources: [
      defineResource({
        model: towns,
        title: 'Towns',
        fields: {
          id: id(),
          name: text('Name').required().sortable().searchable(),
          people: number('People').min(0).sortable(),
          open: switcher('Open').updateOnPreview(),
        },
        sortColumn: 'id',
        sortDirection: 'ASC',
        stickyTable: true,
        usePagination: false,
      }),
    ],
  })
  const listening = await panel.listen({ port: 0 })
  return {
    base: listening.url,
    db,
    async close() {
      await listening.close()
      await panel.close()
      db.close()
    },
  }
}

// What drizzle-orm/better-sqlite3 makes, without importing better-sqlite3.
function drizzle(client: Libsql.Database): object {
  const dialect = new SQLiteSyncDialect()
  const session = new BetterSQLiteSession(client as never, dialect, undefined)
  return Object.assign(new BaseSQLiteDatabase('sync', dialect as never, session as never, undefined), { $client: client })
}
