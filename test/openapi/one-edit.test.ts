// One line of a declaration changes, and with it the form, the table, the JSON, the filter, the export and the document.
import { definePanel, defineResource, type Field, id, memoryStore, number, text } from 'daymark'
import { oag } from 'daymark/oag'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { inlined } from '../support/inlined.js'

// biome-ignore lint/suspicious/noExplicitAny: a part of a JSON document
type Any = any

const narrow = sqliteTable('things', { id: integer().primaryKey(), name: varchar().notNull() })
const wide = sqliteTable('things', { id: integer().primaryKey(), name: varchar().notNull(), weight: integer() })

/** What a field looks like wherever it can be met. */
async function everywhere(resource: ReturnType<typeof defineResource>, field: string, value: unknown) {
  const panel = definePanel({ auth: 'open', resources: [resource], plugins: [oag()] })
  const ask = (path: string, accept: string, body: object | null = null) =>
    panel.fetch(
      new Request(`http://127.0.0.1:3000${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { accept, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  const json = async (path: string, body: object | null = null): Promise<Any> => (await ask(path, 'application/json', body)).json()
  const page = async (path: string) => (await ask(path, 'text/html')).text()
  const crud = '/admin/resource/things/crud'
  const made = await ask(crud, 'application/json', { name: 'A', [field]: value })
  const { paths, components } = inlined(await json('/oag.json'))
  const { data } = await json(crud)
  const form = await page('/admin/resource/things/form-page')
  const said = {
    created: made.status,
    input: form.includes(`name="${field}"`),
    labels: ['Weight', 'Mass'].filter((label) => form.includes(`>${label}<`)),
    head: [...(await page(crud)).matchAll(/<th\b[^>]*>(.*?)<\/th>/gs)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '').trim()),
    row: data[0]?.[field],
    filter: (await ask(`${crud}?filter[${field}]=${value}`, 'application/json')).status,
    csv: (await page('/admin/resource/things/export'))
      .split('\r\n')[0]
      ?.replace(/^\uFEFF/, '')
      .split(','),
    documented: {
      row: components.schemas['things.Row'].properties[field]?.title ?? null,
      create: components.schemas['things.Create'].properties[field] ?? null,
      filter: paths[crud].get.parameters.some(({ name }: Any) => name === `filter[${field}]`),
    },
  }
  await panel.close()
  return said
}

it('a new column is everywhere, in no other line', async () => {
  const of = (model: typeof narrow | typeof wide) => everywhere(defineResource({ model: memoryStore(model) }) as never, 'weight', 7)
  const [before, after] = [await of(narrow), await of(wide)]
  expect(before).toMatchObject({ created: 422, input: false, filter: 422, documented: { row: null, create: null, filter: false } })
  expect(before.head.join()).not.toContain('Weight')
  expect(after).toMatchObject({
    created: 201,
    input: true,
    row: 7,
    filter: 200,
    documented: { row: 'Weight', create: { title: 'Weight', type: ['integer', 'null'] }, filter: true },
  })
  expect(after.head.join()).toContain('Weight')
  expect(after.csv).toEqual([...(before.csv ?? []), 'Weight'])
})

it('a field that changes is another one everywhere', async () => {
  const of = (weight: Field<number | bigint>) =>
    everywhere(
      defineResource({ model: memoryStore(wide), fields: { id: id(), name: text(), weight }, filters: ['weight'] } as never) as never,
      'weight',
      7,
    )
  const before = await of(number('Weight').max(9))
  expect(before).toMatchObject({ created: 201, documented: { row: 'Weight', create: { title: 'Weight', maximum: 9 } } })
  const after = await of(number('Mass').max(5).hint('In tons'))
  expect(after).toMatchObject({
    created: 422,
    input: true,
    filter: 200,
    documented: { row: 'Mass', create: { title: 'Mass', maximum: 5, description: 'In tons' }, filter: true },
  })
  expect([before.head.join(), after.head.join()]).toEqual([expect.stringContaining('Weight'), expect.stringContaining('Mass')])
  expect([before.labels, after.labels]).toEqual([['Weight'], ['Mass']])
  expect([before.csv?.at(-1), after.csv?.at(-1)]).toEqual(['Weight', 'Mass'])
})
