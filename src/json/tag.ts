import { hash } from 'node:crypto'

/** A weak ETag of a body: equal bodies have equal tags. */
export function weakTag(body: string | Uint8Array): string {
  return `W/"${hash('sha1', body, 'base64url')}"`
}
