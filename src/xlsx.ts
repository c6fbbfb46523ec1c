export type { FileFormat, Sheet, SheetColumn } from './crud/realm/file-format.js'
export { xlsx } from './xlsx/format.js'
