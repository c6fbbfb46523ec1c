import * as z from 'zod'
import { type Html, html } from '../base/html.js'
import { bytesText } from '../base/number.js'
import type { Bound, FileRule, ViewContext } from './field.js'
import { fileName } from './file-name.js'
import { played } from './file-type.js'
import { describedAttributes } from './kind.js'

/** A megabyte, as it is written in rules. */
const megabyte = 1_000_000

/** The most bytes of a file, unless its field says otherwise. */
export const usualBytes = 10 * megabyte

/** The room that a column needs for a path: 22 characters, a slash and the name. */
const shortestColumn = 64

// A type, since an interface has no index signature.
/** The methods of kinds of files. */
export type FileMethods = {
  /** The most bytes. Default: 10,000,000. */
  maxBytes(bytes: number): { maxBytes: number }
  /** The extensions that the names of files may have: `extensions('pdf', 'docx')`. Default: any; of images, those that every browser shows. */
  extensions(...names: string[]): { extensions: readonly string[] }
}

/** What those methods state. */
export interface FileFacts {
  readonly maxBytes?: number
  readonly extensions?: readonly string[]
}

/** The extensions as a declaration names them: without a dot, in lower case. */
const extensionsOf = (names: readonly string[]): readonly string[] =>
  Object.freeze(names.map((name) => name.replace(/^\./, '').toLowerCase()))

/** What kinds of files have in common. */
export const anyFile = {
  columns: ['text'],
  operators: ['null'],
  own: {
    maxBytes: (maxBytes: number) => ({ maxBytes }),
    extensions: (...names: string[]) => ({ extensions: extensionsOf(names) }),
  },
  /** The value in JSON. An empty text, which a form sends where no file was chosen, names none: a required field takes it no more than null. */
  schema: () => z.string().min(1).describe('The path of a file: the one that is stored, or one that was uploaded for this field'),
  words: fileName,
} as const

/** What is wrong with the declaration of a field of files; null: nothing. */
export function fileFault({ column, hasDefault }: Bound, { maxBytes, extensions }: FileRule): string | null {
  if (column.maxLength !== null && column.maxLength < shortestColumn)
    return `its column takes ${column.maxLength} characters, and the path of a file needs up to ${shortestColumn} and more; make it longer`
  if (hasDefault) return 'a file cannot be the default of many records; remove the default'
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) return `${maxBytes} is not a number of bytes`
  const odd = extensions?.find((one) => !/^[a-z0-9]+$/.test(one))
  return odd === undefined ? null : `"${odd}" is not the extension of a file, such as pdf`
}

/**
 * The form control of a file. Hidden is the path that is sent if no other file is chosen; a script sends a chosen file at once, and puts its
 * path there.
 *
 * @param shown the file that the field holds, as it is drawn
 * @param pictures whether a chosen file is shown, too, as a picture
 */
export function fileInput(path: string, field: Bound, rule: FileRule, ctx: ViewContext, shown: Html, pictures = false): Html {
  const { extensions, maxBytes } = rule
  const { t, locale, name, uploadUrl } = ctx
  const filled = path !== ''
  const most = bytesText(locale, maxBytes)
  const takes = extensions === null ? t('file.takesAny', { most }) : t('file.takes', { most, extensions: extensions.join(', ') })
  const takesId = `${ctx.id}-takes`
  // A file that is there already need not be sent again.
  const attributes = describedAttributes(filled ? { ...field, required: false } : field, ctx, takesId)
  const script =
    uploadUrl !== null &&
    html` data-upload="${uploadUrl}" data-most="${maxBytes}" data-too-large="${t('file.tooLarge', { label: field.label, most })}"${
      pictures && html` data-shows="pictures"`
    }`
  // The file comes first among the controls that are seen: it is what the label names.
  return html`<div class="file-control"${script}><input type="hidden" name="${name}" value="${path}"><span class="file-now"${
    !filled && html` hidden`
  }>${filled && shown}</span><input type="file"${attributes}${accept(extensions)}>${
    !field.required &&
    html`<label class="file-clear"${!filled && html` hidden`}><input type="checkbox" name="_clear" value="${name}" aria-label="${t('file.clearOf', { label: field.label })}"> ${t('file.clear')}</label>`
  }<span class="takes" id="${takesId}">${takes}</span><span class="unseen said" role="status"></span></div>`
}

function accept(extensions: readonly string[] | null): Html | false {
  return extensions !== null && html` accept="${extensions.map((one) => `.${one}`).join()}"`
}

/** A file's name, as a link to the file if there is one. */
export function fileLink(path: string, { fileUrl }: ViewContext): Html {
  const name = fileName(path)
  return fileUrl === null ? html`${name}` : html`<a class="file" href="${fileUrl}">${name}</a>`
}

/** A player of a sound or a film; null: the file is neither. */
export function filePlayer(path: string, { fileUrl }: ViewContext): Html | null {
  const name = fileName(path)
  const how = played(name)
  if (how === null || fileUrl === null) return null
  return how === 'audio'
    ? html`<audio class="player" controls preload="metadata" src="${fileUrl}" aria-label="${name}"></audio>`
    : html`<video class="player" controls preload="metadata" src="${fileUrl}" aria-label="${name}"></video>`
}
