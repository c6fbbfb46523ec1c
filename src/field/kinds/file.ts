import { html } from '../../base/html.js'
import type { Bound, FileRule } from '../field.js'
import { extensionsOf, fileFault, fileInput, fileLink, filePath, filePlayer, usualBytes } from '../file-control.js'
import { fileName } from '../file-name.js'
import { defineKind } from '../kind.js'

interface Facts {
  readonly maxBytes?: number
  readonly extensions?: readonly string[]
}

const ruleOf = ({ own }: Bound<Facts>): FileRule => ({ maxBytes: own.maxBytes ?? usualBytes, extensions: own.extensions ?? null })

/**
 * A file, over text columns. The column holds its path in the panel's `files`, such as `Zk3…/Contract.pdf`, and so does JSON. Filters only
 * ask for null.
 */
export const file = defineKind<
  string,
  {
    /** The most bytes. Default: 10,000,000. */
    maxBytes(bytes: number): { maxBytes: number }
    /** The extensions that the names of files may have: `extensions('pdf', 'docx')`. Default: any. */
    extensions(...names: string[]): { extensions: readonly string[] }
  },
  'null'
>({
  name: 'file',
  columns: ['text'],
  operators: ['null'],
  own: { maxBytes: (maxBytes) => ({ maxBytes }), extensions: (...names) => ({ extensions: extensionsOf(names) }) },
  file: ruleOf,
  fault: (field) => fileFault(field as Bound, ruleOf(field)),
  schema: filePath,
  words: fileName,
  cell: (path, _, ctx) => html`${ctx.inWords && filePlayer(path, ctx)}${fileLink(path, ctx)}`,
  input: (path, field, ctx) => fileInput(path, field as Bound, ruleOf(field), ctx, fileLink(path, ctx)),
})
