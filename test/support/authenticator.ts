// An authenticator in software (WebAuthn Level 3 §6): it makes keys, keeps them by host, and signs with them. What a test bends is in `bent`.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** How an answer differs from an honest one. */
export interface Bent {
  readonly origin?: string
  /** The relying party that the authenticator signs for. */
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly crossOrigin?: boolean
  readonly verified?: boolean
  readonly present?: boolean
  readonly synced?: boolean
  readonly counter?: number
  readonly handle?: string | null
  readonly id?: string
  /** Changes the signature after it was made. */
  readonly signature?: (signature: Buffer) => Buffer
  /** Signs with another key. */
  readonly key?: KeyObject
  /** The attestation format, which the browser would have taken out. */
  readonly format?: string
  readonly algorithm?: keyof typeof algorithms
}

interface Kept {
  readonly id: string
  readonly rpId: string
  readonly handle: string
  readonly key: KeyObject
  readonly algorithm: keyof typeof algorithms
  counter: number
}

// biome-ignore lint/suspicious/noExplicitAny: as the panel sends them
type Options = any

const algorithms = {
  ES256: { alg: -7, make: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
  EdDSA: { alg: -8, make: () => generateKeyPairSync('ed25519') },
  RS256: { alg: -257, make: () => generateKeyPairSync('rsa', { modulusLength: 2048 }) },
  ES512: { alg: -36, make: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }) },
}

export function authenticator(origin: string, { counts = false, synced = false } = {}) {
  const kept: Kept[] = []

  /** What `navigator.credentials.create()` would come to. */
  function make(options: Options, bent: Bent = {}) {
    const algorithm = bent.algorithm ?? 'ES256'
    const { alg, make } = algorithms[algorithm]
    const { publicKey, privateKey } = make()
    const one: Kept = {
      id: randomBytes(32).toString('base64url'),
      rpId: options.rp.id,
      handle: options.user.id,
      key: privateKey,
      algorithm,
      counter: counts ? 1 : 0,
    }
    // As an authenticator does that has one already: it keeps one for each user of a host.
    if (options.excludeCredentials.some(({ id }: { id: string }) => kept.some((other) => other.id === id)))
      throw new Error('InvalidStateError')
    kept.push(one)
    const attested = Buffer.concat([Buffer.alloc(16), uint16(32), Buffer.from(bent.id ?? one.id, 'base64url'), coseKey(publicKey, alg)])
    const authData = Buffer.concat([dataOf(bent.rpId ?? one.rpId, 0x40 | flagsOf(bent), bent.counter ?? one.counter), attested])
    const object = cbor(
      new Map<unknown, unknown>([
        ['fmt', bent.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    return {
      id: bent.id ?? one.id,
      rawId: bent.id ?? one.id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', options, bent).toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
      clientExtensionResults: {},
    }
  }

  /** What `navigator.credentials.get()` would come to, for a passkey that it has: the last one, unless another is named. */
  function signIn(options: Options, bent: Bent = {}, one = kept.at(-1) as Kept) {
    if (counts) one.counter += 1
    const data = clientData('webauthn.get', options, bent)
    const authData = dataOf(bent.rpId ?? one.rpId, flagsOf(bent), bent.counter ?? one.counter)
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
    const signature = sign(one.algorithm === 'EdDSA' ? null : 'sha256', signed, bent.key ?? one.key)
    const handle = bent.handle === undefined ? one.handle : bent.handle
    return {
      id: bent.id ?? one.id,
      rawId: bent.id ?? one.id,
      type: 'public-key',
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: (bent.signature?.(signature) ?? signature).toString('base64url'),
        ...(handle !== null && { userHandle: handle }),
      },
      clientExtensionResults: {},
    }
  }

  const clientData = (type: string, { challenge }: Options, bent: Bent) =>
    Buffer.from(
      JSON.stringify({
        type: bent.type ?? type,
        challenge: bent.challenge ?? challenge,
        origin: bent.origin ?? origin,
        crossOrigin: bent.crossOrigin ?? false,
      }),
    )
  const flagsOf = ({ verified = true, present = true, ...bent }: Bent) =>
    (present ? 1 : 0) | (verified ? 4 : 0) | ((bent.synced ?? synced) ? 0x18 : 0)

  return { kept, make, signIn }
}

function dataOf(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** RFC 9052 §7, RFC 8230 §4. */
function coseKey(key: KeyObject, alg: number): Buffer {
  const { kty, x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  if (kty === 'OKP')
    return cbor(
      new Map<unknown, unknown>([
        [1, 1],
        [3, alg],
        [-1, 6],
        [-2, bytes(x)],
      ]),
    )
  if (kty === 'RSA')
    return cbor(
      new Map<unknown, unknown>([
        [1, 3],
        [3, alg],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ]),
    )
  return cbor(
    new Map<unknown, unknown>([
      [1, 2],
      [3, alg],
      [-1, alg === -7 ? 1 : 3],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  )
}

/** CBOR (RFC 8949), as far as it is needed. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])])
  throw new TypeError('Not needed')
}

function head(major: number, length: number): Buffer {
  const type = major << 5
  if (length < 24) return Buffer.from([type | length])
  if (length < 256) return Buffer.from([type | 24, length])
  return Buffer.concat([Buffer.from([type | 25]), uint16(length)])
}
