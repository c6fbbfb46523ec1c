import { hash } from 'node:crypto'
import type { FileSent } from '../crud/outcome.js'
import { extensionOf, fileName } from '../field/file-name.js'
import { dispositionOf } from './download.js'
import type { Reply } from './face.js'

/**
 * What a browser may show by itself. Anything else is saved: HTML and SVG may contain scripts (OWASP ASVS 5.4), and would run in the
 * panel's origin.
 */
const shown: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
  txt: 'text/plain; charset=utf-8',
}

/** A file that a record holds, the same in every face. */
export function fileReply({ path, file: { size, content } }: FileSent): Reply {
  const name = fileName(path)
  const type = shown[extensionOf(name)]
  return {
    status: 200,
    headers: {
      'content-type': type ?? 'application/octet-stream',
      'content-length': String(size),
      'content-disposition': dispositionOf(type === undefined ? 'attachment' : 'inline', name),
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      // Asked for again each time, since who may see it may change; the path never names another content.
      'cache-control': 'private, no-cache',
      etag: `"${hash('sha256', path, 'base64url').slice(0, 22)}"`,
    },
    body: content,
  }
}
