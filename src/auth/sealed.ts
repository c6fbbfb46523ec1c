import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { OpenIdSignIn } from './stores.js'

/**
 * A sign-in with a provider as it is stored: where it signs out holds an ID token, which only whoever has the session's cookie, or the ticket,
 * can read. The database has no more than a hash of those.
 */
export function sealedWith(token: string, openId: OpenIdSignIn | null): OpenIdSignIn | null {
  return openId?.signOut ? { ...openId, signOut: sealed(openId.signOut, token) } : openId
}

/** The same as it was before. */
export function unsealedWith(token: string, openId: OpenIdSignIn | null): OpenIdSignIn | null {
  return openId?.signOut ? { ...openId, signOut: unsealed(openId.signOut, token) } : openId
}

const cipher = 'aes-256-gcm'
// In bytes.
const [ivLength, tagLength] = [12, 16]
const keyOf = (token: string) => new Uint8Array(hkdfSync('sha256', token, '', 'daymark sign-out', 32))

function sealed(text: string, token: string): string {
  const iv = randomBytes(ivLength)
  const cipherer = createCipheriv(cipher, keyOf(token), iv)
  return Buffer.concat([iv, cipherer.update(text), cipherer.final(), cipherer.getAuthTag()]).toString('base64url')
}

/** Null if it was sealed with another token, or changed. */
function unsealed(text: string, token: string): string | null {
  const bytes = Buffer.from(text, 'base64url')
  try {
    const decipherer = createDecipheriv(cipher, keyOf(token), bytes.subarray(0, ivLength), { authTagLength: tagLength })
    decipherer.setAuthTag(bytes.subarray(-tagLength))
    return Buffer.concat([decipherer.update(bytes.subarray(ivLength, -tagLength)), decipherer.final()]).toString()
  } catch {
    return null
  }
}
