import { numeric, pgTable, text } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { always } from '../../resource/condition/condition.js'
import { type Column, modelOf } from '../../resource/model/model.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads } from '../../store/store.js'
import { recordsByValues, textOf } from './find-by-values.js'

const model = modelOf(pgTable('parts', { id: text().primaryKey(), price: numeric() }))
const [id, price] = ['id', 'price'].map((key) => model.columns.get(key)) as [Column, Column]

test.each([
  ['1.50', '1.5'],
  ['1.00', '1'],
  ['-0.10', '-0.1'],
  ['100', '100'],
  ['NaN', 'NaN'],
])('%s is told apart as %s', (written, plain) => {
  expect(textOf([written], [price])).toBe(JSON.stringify([plain]))
  expect(textOf([written], [id])).toBe(JSON.stringify([written]))
})

test('long values are looked for in no time', async () => {
  const started = process.cpuUsage()
  expect(textOf([`1.${'0'.repeat(100_000)}1`], [price])).toHaveLength(100_007)
  const reads = { list: async () => [] } as unknown as Reads
  const lookup = { reads, resource: { model } as Resource, by: [id], columns: ['id'], where: always }
  expect((await recordsByValues(lookup, [[`a${' '.repeat(100_000)}b`]])).size).toBe(0)
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
})
