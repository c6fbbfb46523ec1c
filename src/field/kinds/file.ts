import { html } from '../../base/html.js'
import type { Bound, FileRule } from '../field.js'
import { anyFile, type FileFacts, type FileMethods, fileFault, fileInput, fileLink, filePlayer, usualBytes } from '../file-control.js'
import { defineKind } from '../kind.js'

const ruleOf = ({ own }: Bound<FileFacts>): FileRule => ({ maxBytes: own.maxBytes ?? usualBytes, extensions: own.extensions ?? null })

/**
 * A file, over text columns. The column holds its path in the panel's `files`, such as `Zk3…/Contract.pdf`, and so does JSON. Filters only
 * ask for null.
 */
export const file = defineKind<string, FileMethods, 'null'>({
  ...anyFile,
  name: 'file',
  file: ruleOf,
  fault: (field) => fileFault(field as Bound, ruleOf(field)),
  cell: (path, _, ctx) => html`${ctx.inWords && filePlayer(path, ctx)}${fileLink(path, ctx)}`,
  input: (path, field, ctx) => fileInput(path, field as Bound, ruleOf(field), ctx, fileLink(path, ctx)),
})
