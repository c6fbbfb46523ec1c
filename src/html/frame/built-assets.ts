import { existsSync } from 'node:fs'

// Beside or above the compiled code, depending on the bundle; when run from source, in the last build.
const places = ['./assets/', '../assets/', '../../../dist/assets/'].map((one) => new URL(one, import.meta.url))

/** The folder of built page assets; null if nothing is built. */
export function builtAssetsFolder(): URL | null {
  return places.find((one) => existsSync(new URL('manifest.json', one))) ?? null
}
