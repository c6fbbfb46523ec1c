import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, hasMany, id, number, select, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const orders = sqliteTable('orders', { id: integer().primaryKey(), name: varchar().notNull() })
const lines = sqliteTable('lines', {
  id: integer().primaryKey(),
  orderId: integer('order_id').references(() => orders.id),
  what: varchar(),
  count: integer(),
  size: varchar(),
})
const Lines = defineResource({
  model: lines,
  title: 'Lines',
  fields: {
    id: id(),
    orderId: belongsTo('Order', orders),
    what: text('What').hint('As on the <invoice>'),
    count: number('Count'),
    size: select('Size').options(['small', 'large']).hint('Of the box'),
  },
})
const Orders = defineResource({
  model: orders,
  fields: { id: id(), name: text('Name').hint('Any') },
  related: [hasMany(Lines, { inForm: ['what', 'count', 'size'] })],
})
const folder = mkdtempSync(join(tmpdir(), 'daymark-hints-'))
const file = join(folder, 'orders.db')
const client = new Sqlite(file)
client.exec(`create table orders (id integer primary key, name text not null);
  create table lines (id integer primary key, order_id integer references orders (id), what text, count integer, size text);
  insert into orders values (1, 'One'); insert into lines values (1, 1, 'Nuts', 1, null), (2, 1, 'Bolts', 2, null)`)
client.close()
const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [Orders, Lines] })
const { html } = testPanel(panel)
afterAll(async () => {
  await panel.close()
  rmSync(folder, { recursive: true })
})

test('hints of rows are read once for all of them, and describe the control of each', async () => {
  const page = (await html.get('/admin/resource/orders/form-page/1')).text
  expect(page.match(/<dl class="hints">.*?<\/dl>/)?.[0]).toBe(
    '<dl class="hints"><div><dt>What</dt><dd>As on the &lt;invoice&gt;</dd></div><div><dt>Size</dt><dd>Of the box</dd></div></dl>',
  )
  for (const row of ['0', '1']) {
    expect(page).toMatch(new RegExp(`id="lines-${row}-what"[^>]* aria-describedby="lines-${row}-what-hint"`))
    expect(page).toContain(`<div class="hint" id="lines-${row}-what-hint" hidden>As on the &lt;invoice&gt;</div>`)
  }
  // The form's own field says its hint below it.
  expect(page).toContain('<div class="hint" id="field-name-hint">Any</div>')
})
