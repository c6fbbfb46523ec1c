import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filters, match, order, queryText, rows, search } from './arbitrary.js'
import { evaluate } from './evaluate.js'
import { openWorld, type StoreName, stores } from './things.js'

describe.each(Object.keys(stores) as StoreName[])('over %s', (store) => {
  test('filters of every operator, all of them or any, search and sort agree with a plain evaluation', async () => {
    const agrees = fc.asyncProperty(
      rows,
      fc.array(fc.tuple(filters, search, order, match), { minLength: 1, maxLength: 8 }),
      async (all, asked) => {
        const world = await openWorld(store, all)
        try {
          for (const [filters, search, order, match] of asked) {
            const query = queryText(filters, search, order, { perPage: 100, match })
            const { status, body } = await world.get('things', query)
            expect(status, `${query}\n${body}`).toBe(200)
            const { data, meta } = JSON.parse(body)
            const wanted = evaluate(all, filters, search, order, match)
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

  test('any of the filters within the scope and the query tag, and never beyond them', async () => {
    const within = fc.asyncProperty(rows, fc.array(filters, { minLength: 1, maxLength: 8 }), async (all, asked) => {
      const world = await openWorld(store, all)
      try {
        const scoped = all.filter(({ done, rank }) => !done && rank !== null && rank >= 0)
        for (const filters of asked) {
          const query = queryText(filters, '', [], { perPage: 100, match: 'any', 'query-tag': 'ranked' })
          const { status, body } = await world.get('scoped', query)
          expect(status, `${query}\n${body}`).toBe(200)
          const keys = JSON.parse(body).data.map(({ id }: { id: number }) => id)
          expect(keys, query).toEqual(evaluate(scoped, filters, '', [], 'any'))
        }
      } finally {
        await world.close()
      }
    })
    await fc.assert(within, { numRuns: 50 })
  }, 60_000)
})
