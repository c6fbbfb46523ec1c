import { type Html, html } from '../../base/html.js'
import type { Bound, FileRule, ViewContext } from '../field.js'
import { fileInput } from '../file-control.js'
import { fileName } from '../file-name.js'
import { anyFile, type FileFacts, type FileMethods, fileFault, usualBytes } from '../file-rule.js'
import { fileLink, filesCell } from '../file-shown.js'
import { defineKind } from '../kind.js'

/** The first bytes of the images that every browser shows, in hexadecimal. No SVG: it may contain scripts. */
const starts: Readonly<Record<string, RegExp>> = {
  png: /^89504e470d0a1a0a/,
  jpg: /^ffd8ff/,
  jpeg: /^ffd8ff/,
  gif: /^47494638(?:37|39)61/,
  // A RIFF file: its length stands between.
  webp: /^52494646.{8}57454250/,
  // An ISO base media file whose brand, or one that it is compatible with, is `avif` or `avis`.
  avif: /^.{8}66747970(?:.{8})*?617669(?:66|73)/,
}

const ruleOf = ({ own }: Bound<FileFacts>): FileRule => ({
  maxBytes: own.maxBytes ?? usualBytes,
  extensions: own.extensions ?? Object.keys(starts),
  is: (extension, start) => starts[extension]?.test(Buffer.from(start.subarray(0, 64)).toString('hex')) ?? false,
})

function fault(field: Bound<FileFacts>): string | null {
  const other = field.own.extensions?.find((one) => !Object.hasOwn(starts, one))
  if (other !== undefined) return `no browser shows a "${other}" in safety. Valid: ${Object.keys(starts).join(', ')}`
  return fileFault(field, ruleOf(field))
}

/**
 * An image, over text columns: PNG, JPEG, GIF, WebP or AVIF; with `.multiple()` several, over json and array columns. Lists show it small,
 * the detail page larger. The column holds its path in the panel's `files`, or a list of paths, and so does JSON. Filters only ask for null.
 */
export const image = defineKind<string | readonly string[], FileMethods, 'null'>({
  ...anyFile,
  name: 'image',
  file: ruleOf,
  fault,
  cell: (value, _, ctx) =>
    filesCell(value, ctx, 3, (path) => {
      const url = ctx.inWords ? ctx.fileUrl(path) : null
      return url === null ? picture(path, ctx) : html`<a class="picture" href="${url}">${picture(path, ctx)}</a>`
    }),
  input: (typed, field, ctx) =>
    fileInput(typed, { field, rule: ruleOf(field), ctx, drawn: field.own.multiple ? named : picture }, { pictures: true }),
})

/** One of several: by its picture alone, one would not know which is meant. */
const named = (path: string, ctx: ViewContext): Html =>
  html`${picture(path, ctx)}${ctx.fileUrl(path) !== null && html`<span>${fileName(path)}</span>`}`

function picture(path: string, ctx: ViewContext): Html {
  const url = ctx.fileUrl(path)
  if (url === null) return fileLink(path, ctx)
  return html`<img class="${ctx.inWords ? 'preview' : 'thumb'}" src="${url}" alt="${fileName(path)}" loading="lazy">`
}
