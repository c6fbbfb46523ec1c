import { createHash } from 'node:crypto'
import type { Body, FormFile } from '../call/input.js'

/** A digest of a form's values. Of a file it has the bytes, since each time it is sent it is kept under another path. */
export function bodyDigest(body: Body): string {
  const files = (body.from === 'form' ? body.files : undefined) ?? new Map<string, readonly FormFile[]>()
  // The paths of files that came with the form are the last of their fields.
  const before = (name: string, given: unknown) =>
    Array.isArray(given) ? given.slice(0, -(files.get(name)?.length ?? 0) || undefined) : given
  const values = body.from === 'none' ? [] : [...body.fields].map(([name, given]) => [name, before(name, given)])
  const mark = createHash('sha256').update(JSON.stringify(values))
  for (const [field, all] of files)
    for (const { name, bytes } of all) mark.update(JSON.stringify([field, name, bytes.length])).update(bytes)
  return mark.digest('base64')
}
