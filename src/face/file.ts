import { hash } from 'node:crypto'
import type { FileSent } from '../crud/outcomes/records.js'
import { fileName } from '../field/file-name.js'
import { fileType, played } from '../field/file-type.js'
import { dispositionOf } from './download.js'
import type { Reply } from './face.js'

const inSandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
// The page of a browser's player loads the file once more: from a sandbox that would be another site's request, without the cookie.
const inPlayer = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'"

/** A file that a record holds, the same in every face. */
export function fileReply({ path, file }: FileSent): Reply {
  const name = fileName(path)
  const type = fileType(name)
  const { part } = file
  return {
    status: 200,
    headers: {
      'content-type': type ?? 'application/octet-stream',
      'content-length': String(file.size),
      'content-disposition': dispositionOf(type === null ? 'attachment' : 'inline', name),
      'content-security-policy': played(name) ? inPlayer : inSandbox,
      // Asked for again each time, since who may see it may change; the path never names another content.
      'cache-control': 'private, no-cache',
      etag: `"${hash('sha256', path, 'base64url').slice(0, 22)}"`,
      ...(part && { 'accept-ranges': 'bytes' }),
    },
    body: file.content,
    ...(part && { parts: { size: file.size, of: (first: number, last: number) => part.call(file, first, last) } }),
  }
}
