import { type Html, html } from '../../base/html.js'
import type { Bound, FileRule, ViewContext } from '../field.js'
import { anyFile, type FileFacts, type FileMethods, fileFault, fileInput, fileLink, usualBytes } from '../file-control.js'
import { fileName } from '../file-name.js'
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
  return fileFault(field as Bound, ruleOf(field))
}

/**
 * An image, over text columns: PNG, JPEG, GIF, WebP or AVIF. Lists show it small, the detail page larger. The column holds its path in the
 * panel's `files`, and so does JSON. Filters only ask for null.
 */
export const image = defineKind<string, FileMethods, 'null'>({
  ...anyFile,
  name: 'image',
  file: ruleOf,
  fault,
  cell: (path, _, ctx) => {
    if (ctx.fileUrl === null) return fileLink(path, ctx)
    return ctx.inWords ? html`<a class="picture" href="${ctx.fileUrl}">${picture(path, ctx)}</a>` : picture(path, ctx)
  },
  input: (path, field, ctx) =>
    fileInput(path, field as Bound, ruleOf(field), ctx, ctx.fileUrl === null ? fileLink(path, ctx) : picture(path, ctx), true),
})

function picture(path: string, { fileUrl, inWords }: ViewContext): Html {
  return html`<img class="${inWords ? 'preview' : 'thumb'}" src="${fileUrl}" alt="${fileName(path)}" loading="lazy">`
}
