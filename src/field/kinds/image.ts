import { type Html, html } from '../../base/html.js'
import type { Bound, FileRule, ViewContext } from '../field.js'
import { extensionsOf, fileFault, fileInput, fileLink, filePath, usualBytes } from '../file-control.js'
import { fileName } from '../file-name.js'
import { defineKind } from '../kind.js'

interface Facts {
  readonly maxBytes?: number
  readonly extensions?: readonly string[]
}

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

const ruleOf = ({ own }: Bound<Facts>): FileRule => ({
  maxBytes: own.maxBytes ?? usualBytes,
  extensions: own.extensions ?? Object.keys(starts),
  is: (extension, start) => starts[extension]?.test(Buffer.from(start.subarray(0, 64)).toString('hex')) ?? false,
})

function fault(field: Bound<Facts>): string | null {
  const other = field.own.extensions?.find((one) => !Object.hasOwn(starts, one))
  if (other !== undefined) return `no browser shows a "${other}" in safety. Valid: ${Object.keys(starts).join(', ')}`
  return fileFault(field as Bound, ruleOf(field))
}

/**
 * An image, over text columns: PNG, JPEG, GIF, WebP or AVIF. Lists show it small, the detail page larger. The column holds its path in the
 * panel's `files`, and so does JSON. Filters only ask for null.
 */
export const image = defineKind<
  string,
  {
    /** The most bytes. Default: 10,000,000. */
    maxBytes(bytes: number): { maxBytes: number }
    /** The extensions that the names of images may have. Default: `png`, `jpg`, `jpeg`, `gif`, `webp` and `avif`. */
    extensions(...names: string[]): { extensions: readonly string[] }
  },
  'null'
>({
  name: 'image',
  columns: ['text'],
  operators: ['null'],
  own: { maxBytes: (maxBytes) => ({ maxBytes }), extensions: (...names) => ({ extensions: extensionsOf(names) }) },
  file: ruleOf,
  fault,
  schema: filePath,
  words: fileName,
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
