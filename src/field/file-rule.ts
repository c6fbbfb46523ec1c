import * as z from 'zod'
import { a } from '../base/setting.js'
import { mostFault } from './bounds.js'
import type { Bound, FileRule, Json } from './field.js'
import { fileName } from './file-name.js'
import { lineFeeds } from './line-feeds.js'
import { stating, taking } from './taking.js'
import { isTexts, listIn } from './texts.js'

/** A megabyte, as it is written in rules. */
const megabyte = 1_000_000

/** The most bytes of a file, unless its field says otherwise. */
export const usualBytes = 10 * megabyte

/** The most files of a field that takes several, unless it says otherwise. */
const usualMost = 20

/** The room that a column needs for a path: 22 characters, a slash and the name. */
const shortestColumn = 64

// A type, since an interface has no index signature.
/** The methods of kinds of files. */
export type FileMethods = {
  /** The most bytes of a file. Default: 10,000,000. */
  maxBytes(bytes: number): { maxBytes: number }
  /** The extensions that the names of files may have: `extensions('pdf', 'docx')`. Default: any; of images, those that every browser shows. */
  extensions(...names: string[]): { extensions: readonly string[] }
  /** Takes several files, in an order: needs a json column or an array column. */
  multiple(): { multiple: true }
  /** The most files of a field that takes several. Default: 20. */
  maxFiles(most: number): { maxFiles: number }
}

/** What those methods state. */
export interface FileFacts {
  readonly maxBytes?: number
  readonly extensions?: readonly string[]
  readonly multiple?: true
  readonly maxFiles?: number
}

export const isSeveral = ({ own }: Bound<FileFacts>): boolean => own.multiple === true

export const mostFiles = ({ own }: Bound<FileFacts>): number => own.maxFiles ?? usualMost

/** The extensions as a declaration names them: without a dot, in lower case. */
const extensionsOf = (names: readonly string[]): readonly string[] =>
  Object.freeze(names.map((name) => name.replace(/^\./, '').toLowerCase()))

// An empty text, which a form sends where no file was chosen, names none: a required field takes it no more than null.
const path = z.string().min(1)

/** What kinds of files have in common. */
export const anyFile = {
  columns: ['text', 'json'],
  operators: ['null'],
  own: {
    maxBytes: taking((maxBytes: number) => ({ maxBytes }), a.number),
    extensions: taking((...names: string[]) => ({ extensions: extensionsOf(names) }), a.text),
    multiple: stating({ multiple: true }),
    maxFiles: taking((maxFiles: number) => ({ maxFiles }), a.number),
  },
  many: isSeveral,
  // A cursor over a single value contains the stored one.
  open: true,
  /** The value in JSON. */
  schema: (field: Bound<FileFacts>) => {
    if (!isSeveral(field)) return path.describe('The path of a file: the one that is stored, or one that was uploaded for this field')
    const paths = z.array(path).max(mostFiles(field))
    return (field.required ? paths.min(1) : paths).describe(
      'The paths of files, each once: of those that are stored, or were uploaded for this field',
    )
  },
  read: (typed: string, field: Bound<FileFacts>) => (isSeveral(field) ? listIn(typed) : typed),
  value: (wire: Json) => (isTexts(wire) ? [...new Set(wire)] : (wire as string)),
  // A stored value that is no list of texts is shown as null.
  wire: (value: string | readonly string[], field: Bound<FileFacts>) => (isSeveral(field) && !isTexts(value) ? null : value),
  text: (value: string | readonly string[], field: Bound<FileFacts>) => {
    if (!isSeveral(field)) return String(value)
    return isTexts(value) && value.length > 0 ? JSON.stringify(value.map(lineFeeds)) : ''
  },
  words: (value: string | readonly string[]) =>
    [value]
      .flat()
      .map((one) => fileName(String(one)))
      .join(', '),
} as const

/** What is wrong with the declaration of a field of files; null: nothing. */
export function fileFault(field: Bound<FileFacts>, { maxBytes, extensions }: FileRule): string | null {
  const { column, hasDefault, own, sortable } = field
  if (column.element && !own.multiple) return 'the column is a list, and one file is none: add .multiple()'
  if (own.multiple && column.type !== 'json') return `.multiple() needs a json column or a list, and this one is ${column.type}`
  if (!own.multiple && column.type !== 'text')
    return `one file needs a text column, and this one is ${column.type}; for several, add .multiple()`
  if (own.multiple && sortable) return 'a list of files has no order to sort by: leave out .sortable()'
  const { maxLength } = column.element ?? column
  if (maxLength !== null && maxLength < shortestColumn)
    return `its column takes ${maxLength} characters, and the path of a file needs up to ${shortestColumn} and more; make it longer`
  if (field.default !== undefined || (hasDefault && !own.multiple))
    return 'a file cannot be the default of many records; remove the default'
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) return `${maxBytes} is not a number of bytes`
  if (!own.multiple && own.maxFiles !== undefined) return '.maxFiles() is for several files: add .multiple()'
  const most = mostFault('maxFiles', own.maxFiles)
  if (most !== null) return most
  const odd = extensions?.find((one) => !/^[a-z0-9]+$/.test(one))
  return odd === undefined ? null : `"${odd}" is not the extension of a file, such as pdf`
}
