import { html } from '../../base/html.js'
import type { Bound, FileRule } from '../field.js'
import { fileInput } from '../file-control.js'
import { anyFile, type FileFacts, type FileMethods, fileFault, usualBytes } from '../file-rule.js'
import { fileLink, filePlayer, filesCell } from '../file-shown.js'
import { defineKind } from '../kind.js'

const ruleOf = ({ own }: Bound<FileFacts>): FileRule => ({ maxBytes: own.maxBytes ?? usualBytes, extensions: own.extensions ?? null })

/**
 * A file, over text columns; with `.multiple()` several, over json and array columns. The column holds the path in the panel's `files`,
 * such as `Zk3…/Contract.pdf`, or a list of paths, and so does JSON. Filters only ask for null.
 */
export const file = defineKind<string | readonly string[], FileMethods, 'null'>({
  ...anyFile,
  name: 'file',
  file: ruleOf,
  fault: (field) => fileFault(field, ruleOf(field)),
  cell: (value, _, ctx) => filesCell(value, ctx, 1, (path) => html`${ctx.inWords && filePlayer(path, ctx)}${fileLink(path, ctx)}`),
  input: (typed, field, ctx) => fileInput(typed, { field, rule: ruleOf(field), ctx, drawn: fileLink }),
})
