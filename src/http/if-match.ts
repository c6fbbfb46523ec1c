import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Body, Versions } from '../crud/call.js'

const list = /^[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)*$/

/**
 * The versions that a caller accepts: `If-Match`, or a form's `_version` where that header is absent. A weak ETag never matches.
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
 * The versions that a caller who writes does not accept: `If-None-Match`; the comparison is a weak one.
 *
 * @throws DaymarkError `malformed`
 */
export function readIfNoneMatch(header: string | null, t: Translate): Versions {
  if (header === null) return null
  const named = etagsOf('If-None-Match', header, t)
  return named === '*' ? named : named.map(({ tag }) => tag)
}

/** Whether `If-None-Match` holds an ETag; the comparison is a weak one. */
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
  // Nearly always there is one, and it is strong.
  if (header.startsWith('"') && header.indexOf('"', 1) === header.length - 1) return [{ weak: false, tag: header.slice(1, -1) }]
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, tag]) => ({ weak: weak !== undefined, tag: tag as string }))
}
