import { existsSync } from 'node:fs'

// Beside the compiled code or above it, as the build has put that together; where the source itself runs, in what was built last.
const places = ['./assets/', '../assets/', '../../dist/assets/'].map((one) => new URL(one, import.meta.url))

/** The folder of what the build makes for pages; null where nothing is built. */
export function builtFolder(): URL | null {
  return places.find((one) => existsSync(new URL('manifest.json', one))) ?? null
}
