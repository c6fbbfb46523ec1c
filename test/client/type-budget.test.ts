import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('a panel of 100 resources and its client are checked in a bounded number of steps', { timeout: 300_000 }, () => {
  const [none, all] = [measure(0), measure(100)]
  const own = (what: keyof typeof all) => all[what] - none[what]
  console.log(
    `100 resources and their client: ${own('Check time').toFixed(1)} s to check beyond ${none['Check time'].toFixed(1)} s for the house; ${own('Instantiations')} instantiations, ${own('Types')} types`,
  )
  expect(own('Instantiations')).toBeGreaterThan(0)
  expect(own('Instantiations')).toBeLessThan(3_000_000)
})

function measure(resources: number): Record<'Check time' | 'Instantiations' | 'Types', number> {
  // Below the root, where the packages are found.
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/budget-'))
  try {
    writeFileSync(join(folder, 'panel.ts'), sourceOf(resources))
    const compilerOptions = {
      incremental: false,
      noUnusedLocals: false,
      tsBuildInfoFile: null,
      // What is built, as a user has it: its declarations are checked, and not the code of the house.
      paths: {},
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['panel.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout: said, status } = spawnSync(process.execPath, [tsc, '-p', folder, '--extendedDiagnostics'], { encoding: 'utf8' })
    expect({ status, errors: said.split('\n').filter((line) => line.includes(': error ')) }).toEqual({ status: 0, errors: [] })
    const figure = (name: string) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(said)?.[1])
    return { 'Check time': figure('Check time'), Instantiations: figure('Instantiations'), Types: figure('Types') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each with ten fields, a relation, filters and a tag; the client lists, creates and changes in all of them. */
function sourceOf(resources: number): string {
  const each = (say: (n: number) => string) => Array.from({ length: resources }, (_, n) => say(n)).join('\n')
  // A chain: a table that came to refer to itself by way of others would have no type.
  const other = (n: number) => (n === 0 ? 'first' : `table${n - 1}`)
  return `
import { belongsTo, dateTime, definePanel, defineResource, id, number, select, switcher, text, textarea } from 'daymark'
import { createClient } from 'daymark/client'
import { integer, sqliteTable, text as t } from 'drizzle-orm/sqlite-core'
const first = sqliteTable('first', { id: integer('id').primaryKey(), name: t('name').notNull() })
${each(
  (n) => `
const table${n} = sqliteTable('table_${n}', {
  id: integer('id').primaryKey(), name: t('name').notNull(), code${n}: t('code').notNull(), kind: t('kind', { enum: ['a', 'b'] }).notNull(),
  amount: integer('amount'), rank: integer('rank').notNull(), active: integer('active', { mode: 'boolean' }).notNull(), notes: t('notes'),
  otherId: integer('other_id').references(() => ${other(n)}.id),
  updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
})
const Resource${n} = defineResource({
  model: table${n},
  fields: {
    id: id(), name: text('Name').required().max(100).sortable().searchable(), code${n}: text('Code').required(), kind: select('Kind'),
    amount: number('Amount').min(0).sortable(), rank: number().default(0), active: switcher(), notes: textarea('Notes'),
    otherId: belongsTo('Other', ${other(n)}).as('neighbour'), updatedAt: dateTime().readOnly(),
  },
  filters: ['name', 'code${n}', 'amount', 'active', 'otherId'],
  queryTags: { some: { label: 'Some', where: { amount: { gte: 5 } } } },
  pages: { index: ['name', 'code${n}', 'amount', 'otherId'] },
})`,
)}
const panel = definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [defineResource({ model: first }), ${each((n) => `Resource${n},`)}] })
const client = createClient<typeof panel>({ baseUrl: 'http://127.0.0.1/admin' })
export async function run() {
  void client
${each(
  (n) => `
  {
    const { data } = await client['table-${n}'].list({ filter: { amount: { gte: 5 }, code${n}: 'x' }, sort: '-name', include: ['neighbour'] })
    for (const one of data) await client['table-${n}'].update(one.id, { amount: (one.amount ?? 0) + 1, code${n}: one.neighbour?.label ?? '' })
    await client['table-${n}'].create({ name: 'a', code${n}: 'b', kind: 'a', active: true })
  }`,
)}
}
`
}
