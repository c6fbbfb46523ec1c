import type { Lens } from '../crud/lens.js'
import type { Listed } from '../crud/outcome.js'
import { bytesOf } from '../face/bytes.js'
import type { Around, Reply } from '../face/face.js'
import type { Row } from '../store/store.js'
import { listedBody, weakTag } from './bodies.js'

interface Known {
  readonly of: string
  readonly reply: Reply
}

const known = new WeakMap<Lens, WeakMap<readonly Row[], Known>>()

/** A page of a list. Where a store gives the very rows again, which it has frozen then, so is the answer: for the same lens, the same address and the same total. */
export function listedReply(listed: Listed, at: Around): Reply {
  const { lens, rows, listing, total } = listed
  // Related records may have changed though these rows have not.
  if (!Object.isFrozen(rows) || listing.include.length > 0) return written(listed, at, false)
  const of = `${total?.count} ${total?.exact} ${at.target}`
  const ofLens = known.get(lens) ?? new WeakMap<readonly Row[], Known>()
  const last = ofLens.get(rows)
  if (last?.of === of) return last.reply
  const reply = written(listed, at, true)
  ofLens.set(rows, { of, reply })
  known.set(lens, ofLens)
  return reply
}

function written(listed: Listed, at: Around, stays: boolean): Reply {
  const body = bytesOf(JSON.stringify(listedBody(listed, at)))
  return { status: 200, headers: { 'content-type': 'application/json', etag: weakTag(body) }, body, stays }
}
