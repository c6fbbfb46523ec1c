import type { FileFormat } from '../crud/realm/file-format.js'

// A sheet has 1,048,576, of which one is the head.
const mostRows = 1_048_575

/**
 * Excel workbooks, for exports and imports.
 *
 * @example
 * ```ts
 * import { definePanel, defineResource } from 'daymark'
 * import { xlsx } from 'daymark/xlsx'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer().primaryKey(), name: text().notNull() })
 *
 * export default definePanel({
 *   auth: 'open',
 *   database: 'sqlite:atlas.db',
 *   resources: [defineResource({ model: cities })],
 *   formats: [xlsx()],
 * })
 * ```
 */
export function xlsx(): FileFormat {
  return format
}

// What writes and reads is loaded when it is first needed: a panel starts without it.
const format: FileFormat = Object.freeze({
  name: 'xlsx',
  label: 'Excel',
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  mostRows,
  async *write(sheet) {
    const { workbook } = await import('./workbook.js')
    yield* workbook(sheet, mostRows)
  },
  // A ZIP archive, or what holds a workbook with a password, which can be told so.
  is: (bytes) => beginsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || beginsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]),
  async read(bytes, most, t) {
    const { readWorkbook } = await import('./read.js')
    return readWorkbook(bytes, most, t)
  },
} satisfies FileFormat)

function beginsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((one, i) => bytes[i] === one)
}
