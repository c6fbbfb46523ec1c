import type { Download } from '../resource/action.js'
import type { Reply } from './face.js'

/** A file to save, the same in every face. Its name is sent in ASCII for old clients and in full (RFC 6266). */
export function downloadReply({ name, type, body }: Download): Reply {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`,
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body,
  }
}

/** Also encodes what encodeURIComponent leaves but a header parameter must not contain. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}
