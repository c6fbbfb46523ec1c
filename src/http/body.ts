import type { RequestHead } from '../auth/pipeline.js'
import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Body } from '../crud/call/input.js'
import { rememberedText } from '../field/remembered.js'
import { type Language, readBytes } from './bytes.js'
import { readMultipart, readUrlencoded } from './form-body.js'
import type { IncomingRequest } from './incoming.js'
import { readJsonBody } from './json-body.js'
import type { Limits } from './limits.js'
import { textOf } from './text.js'

const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'
/** The content types that a form may have. */
const formTypes = `${urlencoded}, ${multipart}`
const bodyTypes = `application/json, ${formTypes}`

/** Whether a form may hold files; for a verb that reads them itself, also of which types a body may be a file alone. */
export type TakesFiles = boolean | readonly string[]

/** Reads a body by its Content-Type alone, whatever the face. An empty body counts as none. */
export async function readBody(
  request: IncomingRequest,
  limits: Limits,
  language: Language,
  takesFiles: TakesFiles = false,
): Promise<Body> {
  const { t } = language
  const alone = typeof takesFiles === 'boolean' ? [] : takesFiles
  const isFile = alone.includes(contentType(request).type)
  const mayBeLong = isFile || (takesFiles && isMultipart(request))
  const bytes = await readBytes(request, mayBeLong ? Math.max(limits.files, limits.body) : limits.body, language)
  if (bytes === null) return { from: 'none' }
  checkEncoding(request, t)
  const { type, parameters } = contentType(request)
  if (isFile) return { from: 'form', fields: new Map(), panel: new Map(), files: new Map([['file', [{ name: '', bytes }]]]) }
  const json = type === 'application/json' || /^[^/]+\/[^/]+\+json$/.test(type)
  if (!json && type !== urlencoded && type !== multipart) {
    const types = [bodyTypes, ...alone].join(', ')
    throw unsupported(t('body.type', { types }), { accept: types })
  }
  if (!/^utf-?8$/i.test(parameters.get('charset') ?? 'utf-8')) throw unsupported(t('body.charset'))
  if (json) return readJsonBody(textOf(bytes, t), limits, t)
  if (type === urlencoded) return readUrlencoded(bytes, limits.fields, t)
  const boundary = parameters.get('boundary') ?? ''
  if (boundary === '' || boundary.length > 70) throw new DaymarkError('malformed', t('body.notForm'))
  return readMultipart(bytes, boundary, limits, takesFiles !== false, language)
}

/** Whether a request sends a form. */
export function isForm(request: RequestHead): boolean {
  const { type } = contentType(request)
  return type === urlencoded || type === multipart
}

/** Refuses a body that is to be a file, if it is a form: a plain form of any page could send that. Compressed, it would be another file. */
export function checkFile(request: RequestHead, t: Translate): void {
  if (isForm(request)) throw unsupported(t('body.isForm'))
  checkEncoding(request, t)
}

function checkEncoding({ headers }: RequestHead, t: Translate): void {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity')
    throw unsupported(t('body.compressed'), { 'accept-encoding': 'identity' })
}

const isMultipart = (request: RequestHead) => contentType(request).type === multipart

function unsupported(text: string, headers: Readonly<Record<string, string>> = {}): DaymarkError {
  return new DaymarkError('unsupportedType', text, { headers })
}

const contentType = ({ headers }: RequestHead) => partsOf(headers.get('content-type') ?? '')

/** Parses a Content-Type. Cached, since clients send few different ones. */
const partsOf = rememberedText((header): { readonly type: string; readonly parameters: ReadonlyMap<string, string> } => {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, token] of header.matchAll(/;[ \t]*([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g)) {
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token ?? '')
  }
  return { type: (header.split(';', 1)[0] as string).trim().toLowerCase(), parameters }
})
