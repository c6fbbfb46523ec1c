import * as z from 'zod'
import type { Passkey } from '../auth/stores.js'
import type { Passkeys } from '../crud/outcomes/account.js'
import type { PresenterContext } from '../face/face.js'

const passkeyData = z.strictObject({
  id: z.string().describe('To rename or remove it by'),
  name: z.string(),
  synced: z.boolean().describe('Whether it may be on several devices'),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().nullable(),
})
const message = z.string()
const type = z.literal('public-key')
const base64url = z.string().describe('base64url')

export const passkeysSchema = z.strictObject({ data: z.array(passkeyData) })
export const passkeySchema = z.strictObject({ data: passkeyData, message })

export const passkeySignInSchema = z.strictObject({
  options: z
    .strictObject({
      challenge: base64url,
      rpId: z.string(),
      timeout: z.int(),
      userVerification: z.literal('required'),
      allowCredentials: z.array(z.never()).max(0),
    })
    .describe('For `PublicKeyCredential.parseRequestOptionsFromJSON()` and `navigator.credentials.get()`'),
})

export const passkeyMakeSchema = z.strictObject({
  options: z
    .strictObject({
      challenge: base64url,
      rp: z.strictObject({ id: z.string(), name: z.string() }),
      user: z.strictObject({ id: base64url, name: z.string(), displayName: z.string() }),
      pubKeyCredParams: z.array(z.strictObject({ type, alg: z.int() })),
      timeout: z.int(),
      excludeCredentials: z.array(z.strictObject({ type, id: base64url, transports: z.array(z.string()) })),
      authenticatorSelection: z.strictObject({
        residentKey: z.literal('required'),
        requireResidentKey: z.literal(true),
        userVerification: z.literal('required'),
      }),
      attestation: z.literal('none'),
    })
    .describe('For `PublicKeyCredential.parseCreationOptionsFromJSON()` and `navigator.credentials.create()`'),
})

/** The passkeys of the caller. */
export function passkeysBody({ passkeys }: Passkeys): z.infer<typeof passkeysSchema> {
  return { data: passkeys.map(passkeyBody) }
}

const said = { added: 'passkey.added', renamed: 'passkey.renamed' } as const

/** The answer to a passkey that was added or renamed. */
export function passkeyBodyOf(did: keyof typeof said, passkey: Passkey, { realm: { t } }: PresenterContext): z.infer<typeof passkeySchema> {
  return { data: passkeyBody(passkey), message: t(said[did], { name: passkey.name }) }
}

function passkeyBody({ id, name, synced, createdAt, lastSeenAt }: Passkey): z.infer<typeof passkeyData> {
  return { id, name, synced, createdAt: createdAt.toISOString(), lastSeenAt: lastSeenAt?.toISOString() ?? null }
}
