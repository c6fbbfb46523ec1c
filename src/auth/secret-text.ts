/** The shortest secret that a setting takes, in bytes. */
export const leastBytes = 32

/** Decodes a secret. Line breaks are allowed, since tools wrap long base64. Null if it is not base64, or too short. */
export function secretBytes(text: string): Uint8Array | null {
  const plain = text.replace(/\s+/g, '')
  const bytes = Buffer.from(plain, 'base64')
  return bytes.length >= leastBytes && bytes.toString('base64').replace(/=+$/, '') === plain.replace(/=+$/, '') ? bytes : null
}

/** The secrets in an environment variable that holds several, separated by commas. */
export function secretsIn(name: string): readonly string[] {
  return (process.env[name] ?? '').split(',').filter((one) => one.trim() !== '')
}
