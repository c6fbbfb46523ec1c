import { invalid } from '../base/errors.js'
import { withoutFormulas } from '../base/formula.js'
import type { Translate } from '../base/messages.js'
import { numberText } from '../base/number.js'
import { type CellMark, mostColumns, type Table, type TableRow } from '../crud/realm/import-table.js'
import { timeOf } from './cell.js'
import { attribute, NotXml, scan } from './scan.js'
import { dateStyles } from './styles.js'
import { NotZip, opened, type ReadPart, TooLarge } from './unzip.js'
import { longestText } from './workbook.js'
import { plainText } from './xml.js'

// Ten thousand rows of a hundred columns take half of it.
const mostBytes = 64_000_000
// Cells that refer to one text are many more of it than the file has.
const mostLetters = mostBytes

/**
 * The first sheet of a workbook, as texts: dates and times as an export writes them, in local time.
 *
 * @param most the most rows
 * @throws DaymarkError `invalid`, naming `file`
 */
export async function readWorkbook(bytes: Uint8Array, most: number, t: Translate): Promise<Table> {
  try {
    const read = opened(bytes, mostBytes)
    const { path, from1904, strings, styles } = await partsOf(read)
    const sheet = read(path)
    if (sheet === null) throw new NotXml('No sheet')
    return await tableOf(sheet, { from1904, strings: await stringsOf(read(strings)), dates: await dateStyles(read(styles)) }, most, t)
  } catch (thrown) {
    if (thrown instanceof TooLarge) throw invalid('file', t('import.tooLarge', { most: numberText('en', mostBytes / 1_000_000) }))
    if (thrown instanceof NotXml || thrown instanceof NotZip) throw invalid('file', t('import.notXlsx'))
    throw thrown
  }
}

/** Where the first sheet is, and what it needs. */
async function partsOf(read: ReadPart) {
  const [book = 'xl/workbook.xml'] = (await related(read('_rels/.rels'), '', '/officeDocument')).values()
  const xml = read(book)
  if (xml === null) throw new NotXml('No workbook')
  let [first, from1904]: [string | null, boolean] = [null, false]
  await scan(xml, {
    open: (name, attributes) => {
      if (name === 'sheet') first ??= attribute(attributes, 'id')
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attribute(attributes, 'date1904') ?? '')
    },
  })
  const [, folder = '', file = ''] = /^(.*\/)?([^/]*)$/.exec(book) ?? []
  const links = read(`${folder}_rels/${file}.rels`)
  const path = (await related(links, folder, '/worksheet')).get(first ?? '')
  if (path === undefined) throw new NotXml('No sheet')
  const [strings = ''] = (await related(links, folder, '/sharedStrings')).values()
  const [styles = ''] = (await related(links, folder, '/styles')).values()
  return { path, from1904, strings, styles }
}

/** The paths of the parts of a type that a part refers to, by their ids. */
async function related(xml: string | null, folder: string, type: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  if (xml === null) return found
  await scan(xml, {
    open: (name, attributes) => {
      if (name !== 'Relationship' || !attribute(attributes, 'Type')?.endsWith(type)) return
      const target = attribute(attributes, 'Target') ?? ''
      found.set(attribute(attributes, 'Id') ?? '', target.startsWith('/') ? target.slice(1) : folder + target)
    },
  })
  return found
}

/** What a cell means: its text, guarded against formulas, and what is to be known of it besides. */
type Meant = readonly [text: string, mark: CellMark | null]

const nothing: Meant = ['', null]

/** The texts that cells refer to by their number. Many may refer to one, so it is guarded here. */
async function stringsOf(xml: string | null): Promise<readonly Meant[]> {
  const strings: Meant[] = []
  let [text, inText, aside]: [string, boolean, boolean] = ['', false, false]
  if (xml === null) return strings
  await scan(xml, {
    open: (name) => {
      if (name === 'si') text = ''
      if (name === 't') inText = !aside
      // How it is pronounced.
      if (name === 'rPh') aside = true
    },
    close: (name) => {
      if (name === 'si') strings.push(textOf(plainText(text)))
      if (name === 't') inText = false
      if (name === 'rPh') aside = false
    },
    text: (piece) => {
      if (inText) text = longer(text, piece)
    },
  })
  return strings
}

interface Around {
  readonly from1904: boolean
  readonly strings: readonly Meant[]
  /** The styles that show a number as a date or time. */
  readonly dates: ReadonlySet<number>
}

/** A cell that is being read. */
interface Begun {
  readonly at: number
  readonly type: string
  readonly style: number
  value: string
  inline: string
}

async function tableOf(xml: string, around: Around, most: number, t: Translate): Promise<Table> {
  const rows: TableRow[] = []
  let [line, column, ended]: [number, number, boolean] = [0, 0, false]
  let cells: string[] = []
  let marks = new Map<number, CellMark>()
  let cell: Begun | null = null
  let into: 'value' | 'inline' | null = null
  let aside = false
  let left = mostLetters
  const endRow = () => {
    if (cells.some((text) => (text ?? '').trim() !== '')) rows.push({ line, cells: Array.from(cells, (text) => text ?? ''), marks })
    if (rows.length > most + 1) throw invalid('file', t('import.tooMany', { most }))
    cells = []
    marks = new Map()
  }
  const endCell = (begun: Begun) => {
    const { at } = begun
    const [text, mark] = meantBy(begun, around)
    if (text === '') return
    left -= text.length
    if (left < 0) throw new TooLarge()
    if (at >= mostColumns) throw invalid('file', t('import.tooWide', { most: mostColumns }))
    cells[at] = text
    if (mark !== null) marks.set(at, mark)
  }
  await scan(xml, {
    open: (name, attributes) => {
      if (name === 'row') {
        line = Number.parseInt(attribute(attributes, 'r') ?? '', 10) || line + 1
        column = 0
      } else if (name === 'c') {
        const at = placeOf(attribute(attributes, 'r')) ?? column
        column = at + 1
        cell = { at, type: attribute(attributes, 't') ?? 'n', style: Number(attribute(attributes, 's') ?? 0), value: '', inline: '' }
      } else if (name === 'v') into = 'value'
      else if (name === 't') into = aside ? null : 'inline'
      else if (name === 'rPh') aside = true
    },
    close: (name) => {
      if (name === 'row') endRow()
      else if (name === 'c' && cell) {
        endCell(cell)
        cell = null
      } else if (name === 'v' || name === 't') into = null
      else if (name === 'rPh') aside = false
      else if (name === 'worksheet') ended = true
    },
    text: (piece) => {
      if (cell && into) cell[into] = longer(cell[into], piece)
    },
  })
  if (!ended) throw new NotXml('It breaks off')
  const [head, ...others] = rows
  if (head === undefined || others.length === 0) throw invalid('file', t('import.empty'))
  const width = head.cells.length
  // An empty cell at the end of a row is not in the file.
  const filled = others.map((row) => ({ ...row, cells: [...row.cells, ...Array(Math.max(0, width - row.cells.length)).fill('')] }))
  return { head: head.cells.map((text) => text.trim()), rows: filled }
}

/** The place of a cell in its row: that of `AB12` is 27. */
function placeOf(reference: string | null): number | null {
  const [letters] = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? '') ?? []
  if (letters === undefined) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function meantBy({ type, style, value, inline }: Begun, { strings, dates, from1904 }: Around): Meant {
  if (type === 's') return strings[Number(value)] ?? nothing
  if (type === 'inlineStr') return textOf(plainText(inline))
  if (type === 'str') return textOf(plainText(value))
  if (type === 'b') return [value === '1' ? 'true' : value === '' ? '' : 'false', null]
  if (type === 'e') return [withoutFormulas(value), 'error']
  if (type === 'd') return [withoutFormulas(value.replace(/T00:00:00(?:\.0+)?Z?$/, '')), null]
  const number = Number(value)
  if (value.trim() === '' || Number.isNaN(number)) return [withoutFormulas(value), null]
  const time = dates.has(style) ? timeOf(number, from1904) : null
  return time === null ? [withoutFormulas(String(number)), 'number'] : [localTime(time, number < 1 && !from1904), null]
}

// Each of its characters may be escaped by seven.
const longestRead = 7 * longestText

/** What is read of a text, with its next piece. No more is shown, and so many pieces would take more memory than their text. */
const longer = (text: string, piece: string) => (text.length > longestRead ? text : text + piece)

/** A text as long as a cell can be, at most. */
const textOf = (text: string): Meant => [withoutFormulas(text.slice(0, longestText)), text.length >= longestText ? 'cut' : null]

/** @param isHours whether it is a time of no day */
function localTime(time: number, isHours: boolean): string {
  const text = new Date(time)
    .toISOString()
    .slice(0, -1)
    .replace(/\.000$/, '')
  return isHours ? text.slice(11) : text.replace(/T00:00:00$/, '')
}
