import { createHmac, timingSafeEqual } from 'node:crypto'

/** The CSRF token for the forms of one session or, before a sign-in, of one guest cookie. */
export function formToken(secret: string, session: string): string {
  return createHmac('sha256', secret).update(`form ${session}`).digest('base64url')
}

export function isFormToken(secret: string, session: string, token: string): boolean {
  const [one, other] = [Buffer.from(formToken(secret, session)), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}
