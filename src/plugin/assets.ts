import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { takes } from '../face/encoding.js'
import type { Reply } from '../face/face.js'
import { type Place, url } from '../route/url.js'
import type { Plugin } from './plugin.js'

/** The assets of plugins. A file is read when a page first asks for it. */
export interface PluginAssets {
  /** The URL of an asset; null if no plugin has one of that name. */
  url(place: Place, file: string): string | null
  reply(hash: string, file: string, acceptEncoding: string): Reply | null
}

interface Asset {
  readonly hash: string
  readonly body: Uint8Array
  readonly type: string
}

export function pluginAssets(plugins: readonly Plugin[]): PluginAssets {
  const places = new Map(plugins.flatMap(({ assets = {} }) => Object.entries(assets)))
  const known = new Map<string, Asset>()
  const read = (file: string): Asset | null => {
    const at = places.get(file)
    if (!at) return null
    const asset = known.get(file) ?? readAsset(file, at)
    known.set(file, asset)
    return asset
  }
  return {
    url: (place, file) => {
      const asset = read(file)
      return asset && url(place, 'assets', { hash: asset.hash, file })
    },
    reply: (hash, file, acceptEncoding) => {
      const asset = read(file)
      if (!asset || asset.hash !== hash) return null
      const compressed = compressedBeside(places.get(file) as URL, acceptEncoding)
      return {
        status: 200,
        headers: {
          'content-type': asset.type,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'Accept-Encoding',
          ...(compressed && { 'content-encoding': compressed.encoding }),
        },
        body: compressed?.body ?? asset.body,
      }
    },
  }
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  json: 'application/json',
}

function readAsset(file: string, at: URL): Asset {
  const body = readFileSync(at)
  return {
    hash: createHash('sha256').update(body).digest('hex').slice(0, 12),
    body,
    type: types[file.split('.').pop() ?? ''] ?? 'application/octet-stream',
  }
}

const bodies = new Map<string, Uint8Array | null>()

/** Returns the copy that a build has compressed in advance: `file.br` or `file.gzip` beside the file. */
function compressedBeside(at: URL, acceptEncoding: string): { readonly encoding: string; readonly body: Uint8Array } | null {
  for (const encoding of ['br', 'gzip'] as const) {
    if (!takes(acceptEncoding, encoding)) continue
    const place = new URL(`${at.href}.${encoding}`)
    if (!bodies.has(place.href)) bodies.set(place.href, existsSync(place) ? readFileSync(place) : null)
    const body = bodies.get(place.href)
    if (body) return { encoding, body }
  }
  return null
}
