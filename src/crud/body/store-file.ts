import { randomBytes } from 'node:crypto'
import { DaymarkError } from '../../base/errors.js'
import { bytesText } from '../../base/number.js'
import type { Bound, FileRule } from '../../field/field.js'
import { extensionOf, safeFileName } from '../../field/file-name.js'
import { actual } from '../call/allow.js'
import type { Call } from '../call/call.js'

/** A file as it arrives. */
export interface UploadedFile {
  /** Its name, as it was sent. */
  readonly name: string
  /** Its length in bytes; null: it is not known yet. */
  readonly size: number | null
  readonly content: AsyncIterable<Uint8Array>
}

/** As much of a file as tells what it is. */
const startBytes = 4096

/**
 * Keeps a file that a caller sends for a field, for a record to take within a day.
 *
 * @returns its path, and its length in bytes
 * @throws DaymarkError `invalid` or `tooLarge` for a file that the field doesn't take, naming the field; `notFound` if it takes none
 */
export async function storeFile(call: Call, field: Bound, given: UploadedFile): Promise<{ readonly path: string; readonly size: number }> {
  const { realm, identity, resource } = call
  const rule = field.kind.file?.(field)
  if (!rule || !realm.files) throw new DaymarkError('notFound', realm.t('page.none'))
  // What begins with a hyphen is an option to many commands.
  const folder = randomBytes(16).toString('base64url').replace(/^-/, '_')
  const name = safeFileName(given.name, (roomOf(field.column) ?? 255) - folder.length - 1)
  const { maxBytes, is } = rule
  const refuse = refusing(call, field, rule)
  if (rule.extensions && !rule.extensions.includes(extensionOf(name))) throw refuse.type()
  if (given.size !== null && given.size > maxBytes) throw refuse.size()
  const path = `${folder}/${name}`
  let size = 0
  async function* checked() {
    for await (const bytes of recognized(given.content, (start) => is?.(extensionOf(name), start) !== false, refuse.content)) {
      size += bytes.length
      if (size > maxBytes) throw refuse.size()
      yield bytes
    }
  }
  await realm.files.keep({ path, userId: actual(identity).id, of: resource.model, field: field.key }, checked())
  return { path, size }
}

/** The most characters of a path. */
const roomOf = ({ element, maxLength }: Bound['column']) => (element ?? { maxLength }).maxLength

/** Passes a file on once its first bytes are seen to be those of one. */
async function* recognized(
  content: AsyncIterable<Uint8Array>,
  isOne: (start: Uint8Array) => boolean,
  refused: () => DaymarkError,
): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | null = new Uint8Array()
  for await (const bytes of content) {
    if (start === null) {
      yield bytes
      continue
    }
    start = Buffer.concat([start, bytes])
    if (start.length < startBytes) continue
    if (!isOne(start.subarray(0, startBytes))) throw refused()
    yield start
    start = null
  }
  if (start === null) return
  if (!isOne(start)) throw refused()
  yield start
}

function refusing({ realm: { t, locale } }: Call, { key, label }: Bound, { maxBytes, extensions }: FileRule) {
  const refused = (code: 'invalid' | 'tooLarge', text: string) => new DaymarkError(code, text, { errors: [[key, [text]]] })
  return {
    size: () => refused('tooLarge', t('file.tooLarge', { label, most: bytesText(locale, maxBytes) })),
    content: () => refused('invalid', t('file.wrongContent', { label })),
    type: () => refused('invalid', t('file.wrongType', { label, extensions: extensions?.join(', ') ?? '' })),
  }
}
