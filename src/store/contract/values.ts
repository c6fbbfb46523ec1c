import assert from 'node:assert/strict'
import { fill, refused, storeCase } from './case.js'
import { models } from './tables.js'

const { places, flakes, slugs } = models

const exact: Readonly<Record<string, readonly unknown[]>> = {
  name: [
    '',
    ' ',
    '\r\n',
    'line\r\nline\rline\n',
    'x'.repeat(1_000_000),
    'ä\u0308 e\u0301 é',
    '👩‍👩‍👧‍👦',
    '\u{10FFFF}\uFFFF\uFEFF',
    `'";--\\`,
    '\u0001\u001f\u007f',
    'null',
    '1e5',
    ' 7 ',
  ],
  people: [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  area: [0.1 + 0.2, 1e308, -1e308, 5e-324, 1e21, 123456789.125, 3, 2 ** 53 + 2],
  open: [true, false],
  seenAt: [new Date(0), new Date('9999-12-31T23:59:59.999Z'), new Date(-1)],
  tags: [[], {}, 'text', 0, false, { a: [null, 1.5, { 'b"': '\u2028' }] }, { n: 0.1 + 0.2 }, { nul: 'a\0b' }],
  photo: [Buffer.from([0, 1, 255]), Buffer.alloc(0)],
  views: [0n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)],
  price: ['0', '-0.5', '1234.5678', '9007199254740993', '-9223372036854775808'],
}

const hostile: readonly (readonly [column: string, value: unknown])[] = [
  ...[
    true,
    5,
    1n,
    undefined,
    Number.NaN,
    {},
    [],
    new Date(),
    Symbol('s'),
    () => 1,
    'a\0b',
    '\ud800',
    'x\udc00',
    Buffer.from('x'),
    new String('x'),
  ].map((value) => ['name', value] as const),
  ...[true, '5', 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1n << 64n, undefined, {}, new Date(), Symbol('s')].map(
    (value) => ['people', value] as const,
  ),
  ...[true, '5', Number.NaN, Number.NEGATIVE_INFINITY, 1n, undefined, {}].map((value) => ['area', value] as const),
  ...[1, 0, 'true', undefined, {}].map((value) => ['open', value] as const),
  ...[0, '2026-01-01', new Date(Number.NaN), undefined, {}].map((value) => ['seenAt', value] as const),
  ...[undefined, Number.NaN, 1n, Symbol('s'), () => 1, { a: undefined }, [Number.POSITIVE_INFINITY], new Date(), new Map()].map(
    (value) => ['tags', value] as const,
  ),
  ...['text', [1], undefined, {}].map((value) => ['photo', value] as const),
  ...[5, '5', 1n << 64n, -(1n << 63n) - 1n, undefined].map((value) => ['views', value] as const),
  ...[5, '', 'x', '1e5', '0x10', ' 1', 'NaN', undefined].map((value) => ['price', value] as const),
]

export const valueCases = [
  storeCase('a value is stored exactly', async (store) => {
    for (const [column, values] of Object.entries(exact)) {
      for (const value of values) {
        const [key] = await fill(store, places, [{ name: 'x', [column]: value }])
        assert.deepEqual(await store.find(places, key, [column]), [value], `${column}: ${String(value).slice(0, 50)}`)
        await store.transaction((tx) =>
          tx.update(places, key, { [column]: value }, column === 'tags' ? undefined : { op: 'eq', column, value }),
        )
        assert.deepEqual(await store.find(places, key, [column, 'changes']), [value, 7])
      }
    }
  }),

  storeCase('minus zero is zero', async (store) => {
    await fill(store, places, [{ name: 'x', people: -0, area: -0 }])
    assert.deepEqual(await store.find(places, 1, ['people', 'area']), [0, 0])
  }),

  storeCase('what is read and what is written are not the same object', async (store) => {
    const tags = { list: [1] }
    const photo = Buffer.from([1])
    await fill(store, places, [{ name: 'x', tags, photo }])
    tags.list.push(2)
    photo[0] = 2
    const read = (await store.find(places, 1, ['tags', 'photo'])) as [{ list: number[] }, Buffer]
    read[0].list.push(3)
    read[1][0] = 3
    assert.deepEqual(await store.find(places, 1, ['tags', 'photo']), [{ list: [1] }, Buffer.from([1])])
  }),

  storeCase('a hostile value is refused by name, wherever it is given, and nothing is written', async (store) => {
    await fill(store, places, [{ name: 'kept', people: 1 }])
    for (const [column, value] of hostile) {
      await refused(
        store.transaction((tx) => tx.create(places, { name: 'x', [column]: value })),
        'invalid',
        [column],
      )
      await refused(
        store.transaction((tx) => tx.update(places, 1, { [column]: value })),
        'invalid',
        [column],
      )
      await refused(store.count(places, { op: 'ne', column, value }), 'invalid', [column])
      await refused(store.count(places, { op: 'in', column, values: [value] }), 'invalid', [column])
      await refused(
        store.transaction((tx) => tx.delete(places, 1, { op: 'gt', column, value })),
        'invalid',
        [column],
      )
    }
    assert.deepEqual(
      await store.list(places, {
        columns: ['name', 'people'],
        where: { op: 'and', all: [] },
        order: [{ column: 'id', direction: 'ASC' }],
        limit: 10,
      }),
      [['kept', 1]],
    )
  }),

  storeCase('a hostile key is refused by name', async (store) => {
    await fill(store, flakes, [{ id: 1n, name: 'kept' }])
    for (const key of [true, 1.5, Number.NaN, '1', {}, undefined, 1n << 64n, Symbol('s')]) {
      await refused(store.find(flakes, key, ['name']), 'invalid', ['id'])
      await refused(store.findMany(flakes, [1n, key], ['name']), 'invalid', ['id'])
      await refused(
        store.transaction((tx) => tx.delete(flakes, key)),
        'invalid',
        ['id'],
      )
      await refused(
        store.transaction((tx) => tx.deleteMany(flakes, [1n, key])),
        'invalid',
        ['id'],
      )
    }
    await refused(store.find(slugs, 'a\0b', ['name']), 'invalid', ['slug'])
    assert.deepEqual(await store.find(flakes, 1n, ['name']), ['kept'])
  }),
]
