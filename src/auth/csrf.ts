import { createHmac, timingSafeEqual } from 'node:crypto'

/** The token of the forms of one session; before a sign-in, of what stands in its place. */
export function formToken(secret: string, session: string): string {
  return createHmac('sha256', secret).update(`form ${session}`).digest('base64url')
}

export function isFormToken(secret: string, session: string, token: string): boolean {
  const [one, other] = [Buffer.from(formToken(secret, session)), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}
