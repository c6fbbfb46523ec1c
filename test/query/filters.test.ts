import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filters, order, queryText, rows, search } from './arbitrary.js'
import { evaluate } from './evaluate.js'
import { openWorld, type StoreName, stores } from './things.js'

describe.each(Object.keys(stores) as StoreName[])('over %s', (store) => {
  test('filters of every operator, search and sort agree with a plain evaluation', async () => {
    const agrees = fc.asyncProperty(
      rows,
      fc.array(fc.tuple(filters, search, order), { minLength: 1, maxLength: 8 }),
      async (all, asked) => {
        const world = await openWorld(store, all)
        try {
          for (const [filters, search, order] of asked) {
            const query = queryText(filters, search, order, { perPage: 100 })
            const { status, body } = await world.get('things', query)
            expect(status, `${query}\n${body}`).toBe(200)
            const { data, meta } = JSON.parse(body)
            const wanted = evaluate(all, filters, search, order)
            expect(
              data.map(({ id }: { id: number }) => id),
              query,
            ).toEqual(wanted)
            expect(meta.total, query).toBe(wanted.length)
          }
        } finally {
          await world.close()
        }
      },
    )
    await fc.assert(agrees, { numRuns: 100 })
  }, 60_000)
})
