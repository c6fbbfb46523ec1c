import assert from 'node:assert/strict'
import { fill, keysWhere, refused, storeCase } from './case.js'
import { models } from './tables.js'

const { places } = models

const names = [
  'Zürich Straße',
  'ΟΔΟΣ και οδός',
  'Санкт-Петербург',
  'İstanbul Diyarbakır',
  '100% _under_ *star* [class] what? back\\slash',
  `quote ' and " and ]`,
  'e\u0301cole is not école',
  'smile 😀 𐐀',
  '',
]

const found: readonly (readonly [text: string, ids: readonly number[]])[] = [
  ['ZÜRICH', [1]],
  ['zürich s', [1]],
  ['straße', [1]],
  ['strasse', []],
  ['ẞ', [1]],
  ['οδος', [2]],
  ['ΟΔΌς', [2]],
  ['санкт-ПЕТЕР', [3]],
  ['istanbul', [4]],
  ['ISTANBUL', [4]],
  ['DİYARBAKIR', [4]],
  ['0%', [5]],
  ['0%_', []],
  ['%', [5]],
  ['_UNDER_', [5]],
  ['u_der', []],
  ['*Star*', [5]],
  ['s*r', []],
  ['[CLASS]', [5]],
  ['[a-z]', []],
  ['[', [5]],
  ['?', [5]],
  ['*', [5]],
  ['what?', [5]],
  ['wha??', []],
  ['k\\S', [5]],
  ["e ' A", [6]],
  ['"', [6]],
  [']', [5, 6]],
  ['E\u0301COLE', [7]],
  ['ÉCOLE', [7]],
  ['😀', [8]],
  ['𐐨', [8]],
  ['', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
]

export const searchCases = [
  storeCase('contains: case-insensitive beyond ASCII, every character literal', async (store) => {
    await fill(
      store,
      places,
      names.map((name, index) => ({ id: index + 1, name })),
    )
    for (const [text, ids] of found) assert.deepEqual(await keysWhere(store, places, { op: 'contains', column: 'name', text }), ids, text)
  }),

  storeCase('startsWith: the same, from the start', async (store) => {
    await fill(
      store,
      places,
      names.map((name, index) => ({ id: index + 1, name })),
    )
    const starting = (text: string) => keysWhere(store, places, { op: 'startsWith', column: 'name', text })
    assert.deepEqual(await starting('zÜRICH '), [1])
    assert.deepEqual(await starting('ürich'), [])
    assert.deepEqual(await starting('100%'), [5])
    assert.deepEqual(await starting('*'), [])
    assert.equal((await starting('')).length, names.length)
  }),

  storeCase('sameText: the whole of it, in whatever case', async (store) => {
    await fill(
      store,
      places,
      [...names, 'zürich STRASSE', 'Zürich Straße 7', 'ZÜRICH STRAẞE', 'two\nlines'].map((name, i) => ({ id: i + 1, name })),
    )
    const same = (text: string) => keysWhere(store, places, { op: 'sameText', column: 'name', text })
    const at = (name: string) => names.indexOf(name) + 1
    assert.deepEqual(await same('zÜRICH straße'), [1, names.length + 3])
    assert.deepEqual(await same('zürich'), [])
    assert.deepEqual(await same(names[4] as string), [at(names[4] as string)])
    assert.deepEqual(await same('ΟΔΟς ΚΑΙ ΟΔΌΣ'), [2])
    assert.deepEqual(await same('.*'), [])
    assert.deepEqual(await same(''), [at('')])
    assert.deepEqual(await same('TWO\nLINES'), [names.length + 4])
    assert.deepEqual(await same('two'), [])
  }),

  storeCase('search: every word in some of the columns; nulls hold no word', async (store) => {
    await fill(store, places, [
      { id: 1, name: 'Große Straße', code: 'DE', madeBy: null },
      { id: 2, name: 'Grosse Strasse', code: null, madeBy: 'de Gaulle' },
      { id: 3, name: 'Kleine Gasse', code: 'DE2', madeBy: null },
    ])
    const search = (...words: string[]) => keysWhere(store, places, { op: 'search', columns: ['name', 'code', 'madeBy'], words })
    assert.deepEqual(await search('de'), [1, 2, 3])
    assert.deepEqual(await search('de', 'STRA'), [1, 2])
    assert.deepEqual(await search('gro', 'gaulle'), [2])
    assert.deepEqual(await search('de', 'nowhere'), [])
    assert.deepEqual(await search(), [1, 2, 3])
    assert.deepEqual(await keysWhere(store, places, { op: 'search', columns: [], words: ['de'] }), [])
    assert.deepEqual(await keysWhere(store, places, { op: 'not', of: { op: 'contains', column: 'code', text: 'de' } }), [2])
  }),

  storeCase('has: one of the values of a list is this very one', async (store) => {
    const lists: readonly unknown[] = [['a', 'b'], ['ab'], [], null, 'a', { a: 'a' }, [1, '2'], [true, 'A', 'ß\\"\''], [['a']], [null, 0.5]]
    await fill(
      store,
      places,
      lists.map((tags, i) => ({ id: i + 1, name: 'x', tags })),
    )
    const has = (value: unknown) => keysWhere(store, places, { op: 'has', column: 'tags', value })
    assert.deepEqual(await has('a'), [1])
    assert.deepEqual(await has('b'), [1])
    assert.deepEqual(await has(''), [])
    assert.deepEqual(await has(1), [7])
    assert.deepEqual(await has(2), [])
    assert.deepEqual(await has('2'), [7])
    assert.deepEqual(await has('true'), [])
    assert.deepEqual(await has(`ß\\"'`), [8])
    assert.deepEqual(await has(0.5), [10])
    assert.deepEqual(
      await keysWhere(store, places, { op: 'not', of: { op: 'has', column: 'tags', value: 'a' } }),
      [2, 3, 4, 5, 6, 7, 8, 9, 10],
    )
    await refused(has('a\0b'), 'invalid', ['tags'])
    await refused(has(null), 'invalid', ['tags'])
    await refused(store.count(places, { op: 'has', column: 'name', value: 'x' }), 'invalid', ['name'])
  }),

  storeCase('refuses to search in what holds no text, and for what is not a text', async (store) => {
    await refused(store.count(places, { op: 'contains', column: 'people', text: '1' }), 'invalid', ['people'])
    await refused(store.count(places, { op: 'contains', column: 'name', text: 'a\0b' }), 'invalid', ['name'])
    await refused(store.count(places, { op: 'startsWith', column: 'name', text: '\ud800' }), 'invalid', ['name'])
    await refused(store.count(places, { op: 'contains', column: 'name', text: 5 as unknown as string }), 'invalid', ['name'])
  }),
]
