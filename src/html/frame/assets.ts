import { readFileSync } from 'node:fs'
import { takes } from '../../face/encoding.js'
import type { Reply } from '../../face/face.js'
import { type Place, url } from '../../route/url.js'
import { builtAssetsFolder } from './built-assets.js'

type Encoding = 'identity' | 'gzip' | 'br'

/** An asset as built. Its hash is in its URL, so it never changes. */
interface Asset {
  readonly hash: string
  readonly file: string
  readonly type: string
  readonly bytes: Readonly<Record<Encoding, number>>
}

export type AssetName =
  | 'daymark.css'
  | 'account.css'
  | 'import.css'
  | 'daymark.js'
  | 'moves.js'
  | 'columns.js'
  | 'dragging.js'
  | 'undo.js'
  | 'uploads.js'
  | 'markdown.js'
  | 'repeater.js'
  | 'tags.js'
  | 'neighbours.js'
  | 'matching.js'
  | 'following.js'
  | 'notifications.js'
  | 'passkeys.js'
  | 'comments.js'
  | 'imports.js'
  | 'forms.js'
  | 'mark.svg'

export function assetUrl(place: Place, name: AssetName): string {
  const { hash, file } = read().manifest[name] as Asset
  return url(place, 'assets', { hash, file })
}

/** An asset in the best encoding the client accepts; null if there is none with this name and hash. */
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

// Read with the first page, so that importing the panel touches no file.
function read() {
  if (known) return known
  const folder = builtAssetsFolder()
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
