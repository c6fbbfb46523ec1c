import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { definePanel, defineResource, id, memoryStore, number, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withFormulas } from '../../src/base/formula.js'
import { Sqlite } from '../support/sqlite.js'

const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar(), count: integer() })
const fields = { id: id(), name: text('Na,"me'), count: number('=Count') }
const read = (response: Response) => response.arrayBuffer().then((body) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(body))
const asked = () => new Request('http://localhost/admin/resource/things/export?sort=id')

test('whatever text is stored, a reader of CSV gets it back, and a spreadsheet runs none of it', async () => {
  const hostile = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", ';', '\r\n', '＝', '=1+1', ' ')
  const texts = fc.array(fc.oneof(hostile, fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 4 }).map((all) => all.join(''))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(texts, fc.option(fc.integer({ min: -2147483648, max: 2147483647 }))), { maxLength: 12 }),
      async (rows) => {
        const model = memoryStore(things)
        const Things = defineResource({ model, fields })
        const panel = definePanel({ auth: 'open', resources: [Things] })
        await model.transaction(async (tx) => {
          for (const [i, [name, count]] of rows.entries())
            await tx.create(Things.model, { id: i + 1, name: name.replaceAll('\0', ''), count })
        })
        const file = await read(await panel.fetch(asked()))
        expect(file.startsWith('\ufeffID,')).toBe(true)
        const [head, ...lines] = parse(file, { bom: true, record_delimiter: '\r\n' }) as string[][]
        expect(head).toEqual(['ID', 'Na,"me', "'=Count"])
        expect(lines).toHaveLength(rows.length)
        for (const [i, [name, count]] of rows.entries()) {
          const stored = name.replaceAll('\0', '')
          const cell = lines[i]?.[1] ?? ''
          expect(withFormulas(cell)).toBe(stored)
          // Whatever is no beginning is as it was.
          if (!/[=+\-@\t\r\n＝＋－＠]/.test(stored)) expect(cell).toBe(stored)
          expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
          expect(lines[i]?.[2]).toBe(count === null ? '' : String(count))
        }
        // What splits at a semicolon, and takes no quotes for what they are, has no cell that begins like one, either.
        for (const part of file.split(/[;\t\r\n]/)) expect(part.replace(/^"+/, '')).not.toMatch(/^[=+\-@＝＋－＠]/)
        await panel.close()
      },
    ),
    { numRuns: 60 },
  )
})

test('a file of a list that can be imported begins with the key, unless its fields are named; fields that are none name none', async () => {
  const Things = defineResource({ model: memoryStore(things), fields, pages: { index: ['name'] }, import: true })
  const panel = definePanel({ auth: 'open', resources: [Things] })
  const head = async (query: string) =>
    (
      parse(await read(await panel.fetch(new Request(`http://localhost/admin/resource/things/export${query}`))), {
        bom: true,
      }) as string[][]
    )[0]
  expect(await head('')).toEqual(['ID', 'Na,"me'])
  expect(await head('?fields=')).toEqual(['ID', 'Na,"me'])
  expect(await head('?fields=name')).toEqual(['Na,"me'])
  await panel.close()
})

test('a file is read no faster than it is taken, and not at all once nobody takes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-'))
  const path = join(folder, 'things.db')
  const db = new Sqlite(path)
  db.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, count INTEGER)')
  db.exec(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO things SELECT i, 'Thing ' || i, i FROM n",
  )
  const statements: string[] = []
  const Things = defineResource({ model: things, fields })
  const panel = definePanel({ auth: 'open', database: `sqlite:${path}`, resources: [Things], observe: (sql) => statements.push(sql) })
  const selects = () => statements.filter((sql) => /^select/i.test(sql)).length

  const slow = (await panel.fetch(asked())).body?.getReader()
  for (let i = 0; i < 3; i++) await slow?.read()
  // Of forty chunks those that were taken, and the few that wait to be.
  expect(selects()).toBeLessThan(8)
  await slow?.cancel()
  const then = selects()
  expect((await read(await panel.fetch(asked()))).split('\r\n')).toHaveLength(20_002)
  expect(selects() - then).toBe(41)

  await panel.close()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})
