import { numberText } from '../base/number.js'
import type { Sheet } from '../crud/realm/file-format.js'
import type { Json } from '../field/field.js'
import { type Cell, cellOf } from './cell.js'
import { numberFormat } from './number-format.js'
import { cellText, escapeXml } from './xml.js'
import { type Part, zipped } from './zip.js'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const inOffice = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const inPackage = 'http://schemas.openxmlformats.org/package/2006'

/**
 * A workbook with one sheet (ECMA-376, Office Open XML), made while it is sent.
 *
 * @throws RangeError if more than `mostRows` rows come, so that no part of a list is taken for the whole
 */
export function workbook(sheet: Sheet, mostRows: number): AsyncGenerator<Uint8Array> {
  const formats = sheet.columns.map(({ field }) => numberFormat(field, sheet.locale))
  const styles = stylesOf(formats)
  const counted = { rows: 0 }
  const title = sheetName(sheet.title)
  return zipped([
    part('[Content_Types].xml', contentTypes),
    part('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])),
    part(
      'xl/_rels/workbook.xml.rels',
      relations([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
      ]),
    ),
    part('xl/styles.xml', styles.xml),
    { path: 'xl/worksheets/sheet1.xml', text: rowsOf(sheet, formats, styles.of, counted, mostRows) },
    {
      path: 'xl/workbook.xml',
      // Only now it is known how many rows there are.
      get text() {
        return [declaration + bookOf(title, rangeOf(sheet.columns.length, counted.rows))]
      },
    },
  ])
}

function part(path: string, text: string): Part {
  return { path, text: [declaration + text] }
}

const contentTypes = `<Types xmlns="${inPackage}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`

function relations(all: readonly (readonly [type: string, target: string])[]): string {
  const each = all.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${inOffice}/${type}" Target="${target}"/>`)
  return `<Relationships xmlns="${inPackage}/relationships">${each.join('')}</Relationships>`
}

function bookOf(title: string, range: string): string {
  const filtered = `'${title.replaceAll("'", "''")}'!${range.replace(/[A-Z]+|\d+/g, '$$$&')}`
  return `<workbook xmlns="${main}" xmlns:r="${inOffice}"><sheets><sheet name="${escapeXml(title)}" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${escapeXml(filtered)}</definedName></definedNames></workbook>`
}

/** What Excel takes for the name of a sheet. */
function sheetName(title: string): string {
  const name = title
    .replace(/[\\/?*[\]:\0-\x1f]/g, ' ')
    .toWellFormed()
    .slice(0, 31)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .replace(/^'+|'+$/g, '')
    .trim()
  return name === '' || name.toLowerCase() === 'history' ? 'Daymark' : name
}

/** The styles of the head, of texts that begin like a formula, and of each column. */
interface Styles {
  readonly xml: string
  readonly of: readonly number[]
}

// The first is that of cells without a style.
const [bold, asText, firstOwn] = [1, 2, 3]
// Those before are built in.
const firstFormat = 164

function stylesOf(formats: readonly (string | null)[]): Styles {
  const own = [...new Set(formats.filter((one) => one !== null))]
  const codes = own.map((code, i) => `<numFmt numFmtId="${firstFormat + i}" formatCode="${escapeXml(code)}"/>`)
  const numbers = own.length === 0 ? '' : `<numFmts count="${own.length}">${codes.join('')}</numFmts>`
  const shown = own.map((_, i) => `<xf numFmtId="${firstFormat + i}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
  const cells = [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
    // It stays a text, also when somebody edits it.
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/>',
    ...shown,
  ]
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
  return {
    xml: `<styleSheet xmlns="${main}">${numbers}<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    of: formats.map((code) => (code === null ? 0 : firstOwn + own.indexOf(code))),
  }
}

/** The sheet: its head in bold, which stays where it is, and its rows. */
async function* rowsOf(
  sheet: Sheet,
  formats: readonly (string | null)[],
  styles: readonly number[],
  counted: { rows: number },
  mostRows: number,
): AsyncGenerator<string> {
  const { columns } = sheet
  const letters = columns.map((_, i) => lettersOf(i))
  const chunks = sheet.chunks[Symbol.asyncIterator]()
  try {
    let next = await chunks.next()
    yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widthsOf(sheet, formats, next.done ? [] : next.value)}<sheetData>${rowOf(
      columns.map(({ label }) => label),
      letters,
      1,
      () => bold,
      sheet,
    )}`
    for (; !next.done; next = await chunks.next()) {
      let text = ''
      for (const values of next.value) {
        if (counted.rows === mostRows) throw new RangeError(`More than ${mostRows} rows have come while the file was sent`)
        counted.rows++
        const cells = columns.map((column, i) => cellOf(values[i] as Json, column, sheet.timeZone))
        text += rowOf(cells, letters, counted.rows + 1, (i) => styles[i] as number, sheet)
      }
      yield text
    }
    yield `</sheetData><autoFilter ref="${rangeOf(columns.length, counted.rows)}"/></worksheet>`
  } finally {
    await chunks.return?.()
  }
}

function rowOf(cells: readonly Cell[], letters: readonly string[], number: number, styleOf: (i: number) => number, sheet: Sheet): string {
  let text = `<row r="${number}">`
  for (const [i, cell] of cells.entries()) text += cellXml(cell, `${letters[i]}${number}`, styleOf(i), sheet)
  return `${text}</row>`
}

function cellXml(cell: Cell, at: string, style: number, sheet: Sheet): string {
  if (cell === null || cell === '') return ''
  const styled = style === 0 ? '' : ` s="${style}"`
  if (typeof cell === 'number') return `<c r="${at}"${styled}><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'object') return `<c r="${at}"${styled}><v>${cell.serial}</v></c>`
  const own = style === bold ? styled : /^[=+\-@]/.test(cell) ? ` s="${asText}"` : ''
  return `<c r="${at}"${own} t="inlineStr"><is><t xml:space="preserve">${cellText(fitting(cell, sheet))}</t></is></c>`
}

/** The most characters of a cell. What has as many is not imported, since it may have been longer. */
export const longestText = 32_767

/** A text that a cell can hold. A longer one ends with saying so. */
function fitting(text: string, { t, locale }: Sheet): string {
  if (text.length <= longestText) return text
  const said = t('export.cut', { count: numberText(locale, text.length) })
  const cut = text.slice(0, longestText - said.length)
  // Never half a sign.
  return (/[\ud800-\udbff]$/.test(cut) ? `${cut.slice(0, -1)}…` : cut) + said
}

// In characters: as wide as most values are, and no wider than is read at a glance.
const [narrowest, widest] = [8, 60]

function widthsOf({ columns, timeZone }: Sheet, formats: readonly (string | null)[], rows: readonly (readonly Json[])[]): string {
  const widths = columns.map((column, i) => {
    const lengths = rows.map((row) => lengthOf(cellOf(row[i] as Json, column, timeZone), formats[i] as string | null))
    // The head also has the button of its filter.
    return Math.min(widest, Math.max(narrowest, column.label.length + 4, ...lengths.map((length) => length + 2)))
  })
  const all = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
  return all.length === 0 ? '' : `<cols>${all.join('')}</cols>`
}

function lengthOf(cell: Cell, format: string | null): number {
  if (cell === null) return 0
  if (typeof cell === 'object') return format?.length ?? 0
  if (typeof cell === 'string') return cell.length > widest ? widest : Math.max(...cell.split('\n').map((line) => line.length))
  const length = String(cell).length
  return typeof cell === 'number' && format !== null ? Math.ceil(length * 1.3) + format.replace(/[#0,."]/g, '').length : length
}

/** The cells of a list, with its head. */
function rangeOf(columns: number, rows: number): string {
  return `A1:${lettersOf(Math.max(columns, 1) - 1)}${rows + 1}`
}

/** What a column is called: A, B … Z, AA. */
function lettersOf(at: number): string {
  return (at < 26 ? '' : lettersOf(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))
}
