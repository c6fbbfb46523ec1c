import { createHash } from 'node:crypto'
import type { RelyingParty } from './relying-party.js'
import type { Passkey } from './stores.js'

/** What a browser answers with, as far as it was looked at: every text may still be anything. */
export interface PasskeyAnswer {
  readonly id: string
  /** The challenge that it says it answers. */
  readonly challenge: string
  /** By what the authenticator calls the user; null: it doesn't say. */
  readonly handle: string | null
  /** How the browser reaches the authenticator. */
  readonly transports: readonly string[]
  /** Whether it was asked for in a frame of another site's page, as the panel's own pages never are. */
  readonly framed: boolean
  /** All of it, for the library. */
  readonly whole: object
}

/** What is known of a new passkey. */
export type NewPasskey = Pick<Passkey, 'id' | 'site' | 'credential' | 'publicKey' | 'counter' | 'synced' | 'transports'>

// Loaded with the first answer: it is 14 MB of memory that a panel without passkeys never needs.
const library = () => import('@simplewebauthn/server')

// Ed25519, ES256 and RS256 (RFC 9053): what authenticators have.
const algorithms = [-8, -7, -257]

// In milliseconds: as long as users may take. Browsers may shorten it.
const timeout = 300_000

/** What a browser needs to sign in with a passkey: any of the user's for this host, so nobody has to say who they are. */
export function signInOptions({ id }: RelyingParty, challenge: string) {
  return { challenge, rpId: id, timeout, userVerification: 'required' as const, allowCredentials: [] }
}

/** What a browser needs to make one. */
export function newOptions(
  { id, name }: RelyingParty,
  challenge: string,
  user: { readonly handle: string; readonly username: string; readonly name: string },
  others: readonly Passkey[],
) {
  return {
    challenge,
    rp: { id, name },
    user: { id: user.handle, name: user.username, displayName: user.name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout,
    // An authenticator that has one of them refuses to make another.
    excludeCredentials: others.map(({ credential, transports }) => ({
      type: 'public-key' as const,
      id: credential,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true, userVerification: 'required' as const },
    // Which device it is, nobody needs to know.
    attestation: 'none' as const,
  }
}

/** The id of the passkey of a credential. */
export function passkeyId({ id }: Pick<RelyingParty, 'id'>, credential: string): string {
  return createHash('sha256')
    .update(JSON.stringify([id, credential]))
    .digest('base64url')
}

// In characters: the longest id has 1023 bytes (WebAuthn Level 3 §7.1), and a key of RSA some 300.
const longest = { id: 1364, part: 16_384 }

/** Reads what a browser answers with (`PublicKeyCredential.toJSON()`); null: it is nothing of the kind. */
export function readAnswer(given: unknown): PasskeyAnswer | null {
  const { id, rawId, type, response } = (given ?? {}) as { readonly [name: string]: unknown }
  if (!isText(id, longest.id) || rawId !== id || type !== 'public-key' || typeof response !== 'object' || response === null) return null
  const parts = response as { readonly [name: string]: unknown }
  const { clientDataJSON, authenticatorData, signature, attestationObject, userHandle, transports } = parts
  if (!isText(clientDataJSON)) return null
  const isSignIn = isText(authenticatorData) && isText(signature)
  if (!isSignIn && !isText(attestationObject)) return null
  const { challenge, crossOrigin, topOrigin } = clientData(clientDataJSON)
  if (typeof challenge !== 'string') return null
  return {
    id,
    challenge,
    handle: isText(userHandle) ? userHandle : null,
    transports: Array.isArray(transports)
      ? transports.filter((one) => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one)).slice(0, 10)
      : [],
    framed: crossOrigin === true || topOrigin !== undefined,
    // Nothing else gets to the library.
    whole: {
      id,
      rawId: id,
      type,
      clientExtensionResults: {},
      response: isSignIn ? { clientDataJSON, authenticatorData, signature } : { clientDataJSON, attestationObject },
    },
  }
}

function isText(value: unknown, most = longest.part): value is string {
  return typeof value === 'string' && value.length <= most && /^[\w-]+$/.test(value)
}

interface ClientData {
  readonly challenge?: unknown
  readonly crossOrigin?: unknown
  readonly topOrigin?: unknown
}

function clientData(text: string): ClientData {
  try {
    return (JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) ?? {}) as ClientData
  } catch {
    return {}
  }
}

/** Checks a new passkey (WebAuthn Level 3 §7.1); null: it is none for this panel and challenge. */
export async function checkNew(party: RelyingParty, challenge: string, answer: PasskeyAnswer): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await library()
  if (answer.framed || !(await isUnattested(answer))) return null
  const { registrationInfo: info } = await orNothing(
    verifyRegistrationResponse({
      response: answer.whole as never,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  if (!info || info.credential.id !== answer.id) return null
  const { publicKey, counter } = info.credential
  return {
    id: passkeyId(party, answer.id),
    site: party.id,
    credential: answer.id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    synced: info.credentialDeviceType === 'multiDevice',
    transports: answer.transports,
  }
}

/** Whether no certificate vouches for the authenticator. None was asked for, and to check one the library would ask elsewhere. */
async function isUnattested({ whole }: PasskeyAnswer): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const { attestationObject } = (whole as { readonly response: { readonly attestationObject?: string } }).response
  try {
    const attested = decodeAttestationObject(Buffer.from(attestationObject ?? '', 'base64url'))
    const format = attested.get('fmt')
    return format === 'none' || (format === 'packed' && attested.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

/** Checks the answer to a sign-in (WebAuthn Level 3 §7.2) but for the counter, which it returns; null: nobody has signed in. */
export async function checkSignIn(party: RelyingParty, challenge: string, passkey: Passkey, answer: PasskeyAnswer): Promise<number | null> {
  // Who is asked by no name has to be named by the authenticator.
  if (answer.framed || answer.handle !== passkey.handle || answer.id !== passkey.credential || passkey.site !== party.id) return null
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo: info } = await orNothing(
    verifyAuthenticationResponse({
      response: answer.whole as never,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The library would look at the counter before the signature, so that anybody could claim that a passkey was copied.
      credential: { id: passkey.credential, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: 0 },
    }),
  )
  if (!verified || !info) return null
  // Whether a passkey may be copied never changes.
  return (info.credentialDeviceType === 'multiDevice') === passkey.synced ? info.newCounter : null
}

/** The library throws at whatever is wrong: none of it was signed by a passkey of ours. */
async function orNothing<T extends object>(checked: Promise<T>): Promise<Partial<T>> {
  try {
    return await checked
  } catch {
    return {}
  }
}
