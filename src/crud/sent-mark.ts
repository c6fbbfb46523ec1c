import { createHash } from 'node:crypto'
import type { Body } from './call.js'

/** A digest of a form's values. */
export function sentMark(body: Body): string {
  return createHash('sha256')
    .update(JSON.stringify(body.from === 'none' ? [] : [...body.fields]))
    .digest('base64')
}
