import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DaymarkError } from '../../base/errors.js'
import { readTable } from './import-table.js'

const t = ((key: string, fill: object = {}) => `${key} ${JSON.stringify(fill)}`) as never
const read = (text: string | Uint8Array, most = 100) => readTable(typeof text === 'string' ? Buffer.from(text) : text, most, t)
const refused = async (text: string | Uint8Array, most?: number) => {
  const thrown: unknown = await read(text, most).then(
    () => null,
    (thrown) => thrown,
  )
  expect(thrown).toBeInstanceOf(DaymarkError)
  return (thrown as DaymarkError).errors.get('file')?.[0]
}

test.each([',', ';', '\t'])('rows are split at %j, quotes are read, empty lines are skipped, and each row knows its line', async (sign) => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['\ufeff a ', '"b;,\t"'].join(sign) + end + [`"1${end}2"`, '"x""y"'].join(sign) + end + end + ['', '3'].join(sign)
    expect(await read(text)).toEqual({
      head: ['a', 'b;,'],
      rows: [
        { line: 2, cells: [`1${end}2`, 'x"y'] },
        { line: 5, cells: ['', '3'] },
      ],
    })
  }
})

test('a file of UTF-16 with a byte order mark is read, as spreadsheets write it', async () => {
  const { rows } = await read(Buffer.from('\ufeffname\tage\r\nÜmit\t3\r\n', 'utf16le'))
  expect(rows).toEqual([{ line: 2, cells: ['Ümit', '3'] }])
  expect((await read(Buffer.from('\ufeffname\r\nÜmit', 'utf16le').swap16())).rows).toEqual([{ line: 2, cells: ['Ümit'] }])
})

test('what is no text, no CSV, empty or too long is refused, with the line', async () => {
  expect(await refused(Buffer.from('name\nÜmit', 'latin1'))).toBe('import.notText {}')
  expect(await refused('name\na\0b')).toBe('import.notText {}')
  expect(await refused('')).toBe('import.empty {}')
  expect(await refused('name\n\n  \n')).toBe('import.empty {}')
  expect(await refused('a\n1\n2\n3', 2)).toBe('import.tooMany {"most":2}')
  expect(await refused('a,b\n"1\n2",3\n4,"5\n6')).toBe('import.notCsv {"line":4}')
  expect(await refused('"a')).toBe('import.notCsv {"line":1}')
  expect(await refused('a,b\r\n"1\r\n2",3\r\n4,x"5')).toBe('import.notCsv {"line":4}')
})

test('whatever the texts, they come back as they were written', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '"', ',', ';', '\n', '\r\n', ' ', "'") })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }), async (records) => {
      const line = (cells: readonly string[]) => `${cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')}\r\n`
      const some = records.filter((cells) => cells.some((one) => one.trim() !== ''))
      fc.pre(some.length > 0)
      const { rows } = await read(line(['a', 'b']) + records.map(line).join(''))
      expect(rows.map(({ cells }) => cells)).toEqual(some)
    }),
  )
})

test('lines without any text are none of the most, and their numbers are those of the file', async () => {
  expect(await read('name\n1\n\n,,,\n2\n', 2)).toEqual({
    head: ['name'],
    rows: [
      { line: 2, cells: ['1'] },
      { line: 5, cells: ['2'] },
    ],
  })
  expect(await refused('name\n1\n\n2\n3\n', 2)).toBe('import.tooMany {"most":2}')
  expect(await refused('\n\nname\n1\n2\n3', 2)).toBe('import.tooMany {"most":2}')
})

test('lines may end in several ways in one file', async () => {
  const rows = (...texts: string[]) => texts.map((text, i) => ({ line: i + 2, cells: [text] }))
  expect((await read('name\na\r\nb\r\n')).rows).toEqual(rows('a', 'b'))
  expect((await read('name\r\na\nb\rc\n')).rows).toEqual(rows('a', 'b', 'c'))
  expect((await read('name\r\n"a\r\nb"\n"c\nd"\r\n\re')).rows).toEqual([
    { line: 2, cells: ['a\r\nb'] },
    { line: 4, cells: ['c\nd'] },
    { line: 7, cells: ['e'] },
  ])
})

test.each([';', ',', '\t', '|', '^', ']', '\\', '-'])('a first line may say that the separator is %j', async (sign) => {
  for (const first of [`sep=${sign}`, `"SEP=${sign}"`])
    expect(await read(`\ufeff${first}\r\na${sign}b,c;d\r\n1${sign}2\r\n`)).toEqual({
      head: ['a', ...(sign === ',' ? ['b', 'c;d'] : sign === ';' ? ['b,c', 'd'] : ['b,c;d'])],
      rows: [{ line: 3, cells: ['1', '2'] }],
    })
})

test('a file with too many columns is refused before they are read, whichever line has them', async () => {
  const wide = ','.repeat(10_000_000)
  expect(await refused(wide)).toBe('import.tooWide {"most":500}')
  expect(await refused(`name\n1\n${wide}x`)).toBe('import.tooWide {"most":500}')
  expect((await read(`name,more\n1,"${wide}"\n`)).rows).toEqual([{ line: 2, cells: ['1', wide] }])
})

test('the lines without any text that a spreadsheet leaves below a table are none, and among the others there may be as many again', async () => {
  expect((await read(`name,b\n1,,\n${' ,\r\n'.repeat(1000)}`, 2)).rows).toEqual([{ line: 2, cells: ['1', '', ''] }])
  expect((await read('name\n1\n,\n,\n2\n', 2)).rows).toHaveLength(2)
  expect(await refused('name\n1\n,\n,\n,\n2\n', 2)).toBe('import.tooMany {"most":2}')
})

test('a large file is read in pieces, between which others have their turn', async () => {
  const rows = 2000
  const text = `name,note\n${`ünïque 😀,"${'word 😀 '.repeat(300)}"\n`.repeat(rows)}`
  let [turns, reading] = [0, true]
  const turn = () => {
    turns++
    if (reading) setImmediate(turn)
  }
  setImmediate(turn)
  const read = await readTable(Buffer.from(text), rows, t)
  reading = false
  expect(read.rows).toHaveLength(rows)
  // No letter is lost where a piece ends.
  expect(new Set(read.rows.map(({ cells }) => cells.join()))).toEqual(new Set([`ünïque 😀,${'word 😀 '.repeat(300)}`]))
  // Pieces of 256 KB, twice.
  expect(turns).toBeGreaterThan((2 * text.length) / (256 * 1024))
})
