import { readFileSync } from 'node:fs'
import { takes } from '../face/encoding.js'
import type { Reply } from '../face/face.js'
import { type Place, url } from '../route/url.js'
import { builtFolder } from './built.js'

type Encoding = 'identity' | 'gzip' | 'br'

/** An asset as the build wrote it: its hash is in its URL, so that it never changes. */
interface Asset {
  readonly hash: string
  readonly file: string
  readonly type: string
  readonly bytes: Readonly<Record<Encoding, number>>
}

export type AssetName = 'daymark.css' | 'daymark.js' | 'mark.svg'

/** The URL of an asset. */
export function assetUrl(place: Place, name: AssetName): string {
  const { hash, file } = read().manifest[name] as Asset
  return url(place, 'assets', { hash, file })
}

/** An asset, in the best encoding that the client takes; null where there is none of that name, or it has another hash by now. */
export function asset(hash: string, file: string, acceptEncoding: string): Reply | null {
  const found = Object.values(read().manifest).find((one) => one.file === file && one.hash === hash)
  if (!found) return null
  const encoding = (['br', 'gzip'] as const).find((name) => takes(acceptEncoding, name))
  return {
    status: 200,
    headers: {
      'content-type': found.type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      ...(encoding && { 'content-encoding': encoding }),
    },
    body: bodyOf(encoding ? `${file}.${encoding}` : file),
  }
}

let known: { readonly folder: URL; readonly manifest: Readonly<Record<string, Asset>> } | null = null

// Read when the first page is made: whoever only imports the panel touches no file.
function read() {
  if (known) return known
  const folder = builtFolder()
  if (!folder) throw new Error('The assets of the pages are not built: npm run build')
  known = { folder, manifest: JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) }
  return known
}

const bodies = new Map<string, Uint8Array>()

function bodyOf(file: string): Uint8Array {
  let body = bodies.get(file)
  if (!body) {
    body = readFileSync(new URL(file, read().folder))
    bodies.set(file, body)
  }
  return body
}
