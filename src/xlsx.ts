export type { FileFormat, Sheet, SheetColumn } from './crud/file-format.js'
export { xlsx } from './xlsx/format.js'
