import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Body, Versions } from '../crud/call/input.js'

const list = /^[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)*$/

/**
 * The versions the caller accepts: `If-Match`, or without that header a form's `_version`. A weak ETag never matches.
 *
 * @throws DaymarkError `malformed`
 */
export function readIfMatch(header: string | null, body: Body, t: Translate): Versions {
  if (header === null) {
    const versions = (body.from === 'form' ? (body.panel.get('_version') ?? []) : []).filter((version) => version !== '')
    return versions.length > 0 ? versions : null
  }
  const named = etagsOf('If-Match', header, t)
  return named === '*' ? named : named.flatMap(({ weak, tag }) => (weak ? [] : [tag]))
}

/**
 * The versions a writer rules out: `If-None-Match`, compared weakly.
 *
 * @throws DaymarkError `malformed`
 */
export function readIfNoneMatch(header: string | null, t: Translate): Versions {
  if (header === null) return null
  const named = etagsOf('If-None-Match', header, t)
  return named === '*' ? named : named.map(({ tag }) => tag)
}

/** Whether `If-None-Match` lists an ETag, compared weakly. */
export function noneMatches(header: string | null, etag: string | undefined): boolean {
  if (header === null || etag === undefined) return false
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '').slice(1, -1)
  return etags(header).some(({ tag }) => tag === opaque)
}

function etagsOf(name: string, header: string, t: Translate): '*' | ReturnType<typeof etags> {
  if (header.trim() === '*') return '*'
  if (!list.test(header)) throw new DaymarkError('malformed', t('request.ifMatch', { name }))
  return etags(header)
}

function etags(header: string): { weak: boolean; tag: string }[] {
  // Fast path: nearly always there is one strong ETag.
  if (header.startsWith('"') && header.indexOf('"', 1) === header.length - 1) return [{ weak: false, tag: header.slice(1, -1) }]
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, tag]) => ({ weak: weak !== undefined, tag: tag as string }))
}
