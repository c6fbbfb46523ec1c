import { createHash } from 'node:crypto'
import type { Body, FormFile } from './call.js'

/** A digest of a form's values. Of a file it has the bytes, since each time it is sent it is kept under another path. */
export function sentMark(body: Body): string {
  const files = body.from === 'form' ? (body.files ?? new Map<string, FormFile>()) : new Map<string, FormFile>()
  const values = body.from === 'none' ? [] : [...body.fields].filter(([name]) => !files.has(name))
  const mark = createHash('sha256').update(JSON.stringify(values))
  for (const [field, { name, bytes }] of files) mark.update(JSON.stringify([field, name, bytes.length])).update(bytes)
  return mark.digest('base64')
}
