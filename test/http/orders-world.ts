import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, hasMany, id, memoryStore, number, type Panel, sumOf, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, numeric, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  price: real(),
  cost: numeric(),
  note: varchar(),
  sold: integer({ mode: 'boolean' }).notNull().default(true),
  secret: integer({ mode: 'boolean' }).notNull().default(false),
})
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  customer: varchar().notNull(),
  discount: integer().notNull().default(0),
  shipping: real(),
})
const lines = sqliteTable('lines', {
  id: integer().primaryKey(),
  orderId: integer('order_id').notNull(),
  productId: integer('product_id').notNull(),
  amount: integer().notNull().default(1),
  price: real().notNull(),
  note: varchar(),
  cost: numeric(),
  hidden: varchar(),
})
const tables = { products, orders, lines }

const inPostgresql = {
  products: pg.pgTable('products', {
    id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
    name: pg.text().notNull(),
    price: pg.doublePrecision(),
    cost: pg.numeric(),
    note: pg.text(),
    sold: pg.boolean().notNull().default(true),
    secret: pg.boolean().notNull().default(false),
  }),
  orders: pg.pgTable('orders', {
    id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
    customer: pg.text().notNull(),
    discount: pg.integer().notNull().default(0),
    shipping: pg.doublePrecision(),
  }),
  lines: pg.pgTable('lines', {
    id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
    orderId: pg.integer('order_id').notNull(),
    productId: pg.integer('product_id').notNull(),
    amount: pg.integer().notNull().default(1),
    price: pg.doublePrecision().notNull(),
    note: pg.text(),
    cost: pg.numeric(),
    hidden: pg.text(),
  }),
} as unknown as typeof tables

const schema = (key: string, real: string, yes: string, no: string) => [
  `create table products (id ${key}, name text not null, price ${real}, cost numeric, note text, sold ${yes}, secret ${no})`,
  `create table orders (id ${key}, customer text not null, discount integer not null default 0, shipping ${real})`,
  `create table lines (id ${key}, order_id integer not null, product_id integer not null, amount integer not null default 1, price ${real} not null, note text, cost numeric, hidden text)`,
]

// biome-ignore lint/suspicious/noExplicitAny: what callbacks get, over tables of two databases
type Given = any

/** What happened in a panel. */
export interface Happened {
  /** The hooks that ran. */
  readonly hooks: string[]
  /** The messages that were logged. */
  readonly logged: string[]
}

function panelOver(database: string | null, { products, orders, lines }: typeof tables, { hooks, logged }: Happened): Panel {
  const shared = memoryStore()
  const over = <T>(table: T): T => (database === null ? ({ ...shared, table } as never) : table)
  const tallies = database !== null
  const Products = defineResource({
    model: over(products),
    title: 'Products',
    fields: {
      id: id(),
      name: text('Name').searchable(),
      price: number('Price'),
      cost: number('Cost').visible(['admin']),
      note: text('Note'),
    },
    scope: ({ user }: Given) => (user.roles.includes('admin') ? {} : { secret: false }),
  } as never)
  const Lines = defineResource({
    model: over(lines),
    title: 'Lines',
    fields: {
      id: id(),
      orderId: belongsTo('Order', orders),
      productId: belongsTo('Product', products)
        .where({ sold: true })
        .fills({ price: 'price', note: 'note', cost: 'cost', hidden: 'name' } as never),
      amount: number('Amount').min(1),
      price: number('Price').min(0).max(1000).currency('EUR').editable(['admin', 'editor']),
      note: text('Note'),
      cost: number('Cost').visible(['admin']),
      hidden: text('Hidden').visible(false),
    },
    computed: {
      total: { label: 'Total', needs: ['amount', 'price'], currency: 'EUR', value: ({ amount, price }: Given) => amount * price },
      margin: {
        label: 'Margin',
        needs: ['price', 'cost'],
        value: ({ price, cost }: Given) => (cost === null ? null : price - Number(cost)),
      },
      upper: {
        label: 'Upper',
        needs: ['note'],
        value({ note }: Given) {
          if (note === 'boom') throw new Error('no such note')
          return note === null ? null : note.toUpperCase()
        },
      },
      far: { label: 'Far', needs: ['amount'], value: ({ amount }: Given) => amount > 100 },
    },
    pages: {
      index: ['id', 'orderId', 'productId', 'amount', 'price', 'note'],
      form: ['orderId', 'productId', 'amount', 'price', 'note', 'cost', 'total'],
    },
    validate: ({ values }: Given) => (values.price === 13 ? { price: 'Not thirteen' } : {}),
    import: true,
    history: database !== null,
    massUpdate: ['productId'],
    hooks: {
      beforeSave: ({ values }: Given) => {
        hooks.push(`line ${values.price}`)
      },
    },
  } as never)
  const Orders = defineResource({
    model: over(orders),
    title: 'Orders',
    fields: {
      id: id(),
      customer: text('Customer').required(),
      discount: number('Discount').min(0).max(50),
      shipping: number('Shipping').currency('EUR'),
      ...(tallies && { lineCount: sumOf('Pieces', lines, 'orderId', 'amount') }),
    },
    computed: {
      greeting: { label: 'Greeting', needs: ['customer'], value: ({ customer }: Given) => `Dear ${customer}` },
      rate: {
        label: 'Rate',
        needs: ['discount', 'shipping'],
        decimals: 1,
        value: ({ discount, shipping }: Given) => (shipping * (100 - discount)) / 100,
      },
      unlisted: { label: 'Unlisted', needs: ['customer'], value: () => 'nobody asked' },
    },
    pages: {
      form: ['customer', 'greeting', { section: 'Money', fields: ['discount', 'shipping', 'rate'] }, ...(tallies ? ['lineCount'] : [])],
    },
    related: [
      hasMany(
        Lines as never,
        { inForm: ['productId', 'amount', 'price', 'note', 'total', 'upper', 'margin', 'far'], by: 'orderId' } as never,
      ),
    ],
    can: { view: ['admin', 'editor', 'clerk'], create: ['admin', 'editor', 'clerk'], update: ['admin', 'editor', 'clerk', 'writer'] },
  } as never)
  return definePanel({
    auth: 'open',
    ...(database !== null && { database }),
    resources: [Orders, Lines, Products],
    log: ({ message }: { readonly message: string }) => void logged.push(message),
  } as never)
}

/** What makes a panel of orders over each store. */
export const worlds = {
  async memory(happened: Happened) {
    const panel = panelOver(null, tables, happened)
    return { panel, tables, end: () => panel.close() }
  },
  async SQLite(happened: Happened) {
    const dir = mkdtempSync(join(tmpdir(), 'daymark-orders-'))
    const client = new Sqlite(join(dir, 'orders.db'))
    for (const one of schema('integer primary key', 'real', 'integer not null default 1', 'integer not null default 0')) client.exec(one)
    client.close()
    const panel = panelOver(`sqlite:${join(dir, 'orders.db')}`, tables, happened)
    return { panel, tables, end: () => panel.close().then(() => rmSync(dir, { recursive: true, force: true })) }
  },
  async PostgreSQL(happened: Happened) {
    const database = await openDatabase()
    const key = 'integer primary key generated by default as identity (start with 1000)'
    for (const one of schema(key, 'double precision', 'boolean not null default true', 'boolean not null default false'))
      await database.query(one)
    const panel = panelOver(database.url, inPostgresql, happened)
    return { panel, tables: inPostgresql, end: () => panel.close().then(database.drop) }
  },
}

export const [pen, paper, gone, hidden, dear, free] = [1, 2, 3, 4, 5, 6] as const

/** Fills the tables. Returns who may do everything. */
export async function filledWorld({ panel, tables: { products, orders, lines } }: Awaited<ReturnType<(typeof worlds)['SQLite']>>) {
  const admin = testPanel(panel)
  const product = (id: number, name: string, price: number | null, more: object = {}) =>
    admin.create(products, { id, name, price, ...more } as never)
  await product(pen, 'Pen', 2, { cost: '1.25', note: 'blue' })
  await product(paper, 'Paper', 4.5)
  await product(gone, 'Gone', 7, { sold: false })
  await product(hidden, 'Hidden', 8, { secret: true })
  await product(dear, 'Dear', 5000)
  await product(free, 'Free', null)
  await admin.create(orders, { id: 1, customer: 'Ada', discount: 10, shipping: 5 } as never)
  await admin.create(lines, { id: 1, orderId: 1, productId: pen, amount: 2, price: 3, note: null } as never)
  return admin
}
