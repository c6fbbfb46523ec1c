import type { Download } from '../resource/action/action.js'
import type { Reply } from './face.js'

/** A file to save, the same in every face. */
export function downloadReply({ name, type, body }: Download): Reply {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': dispositionOf('attachment', name),
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body,
  }
}

/** Whether a file is shown or saved, and its name: in ASCII for old clients, and in full (RFC 6266). */
export function dispositionOf(how: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded(name)}`
}

/** Also encodes what encodeURIComponent leaves but a header parameter must not contain. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}
