import type { Listed } from '../crud/outcome.js'
import { bytesOf } from '../face/bytes.js'
import type { Around, Reply } from '../face/face.js'
import { perLens } from '../face/per-lens.js'
import type { Row } from '../store/store.js'
import { listedBody, weakTag } from './bodies.js'
import { metaOf } from './meta.js'

interface Known {
  readonly of: string
  readonly reply: Reply
}

const pages = perLens<readonly Row[], Known>()
const records = perLens<Row, string>()

/**
 * A page of a list. Where a store gives the very rows again, which it has frozen then, so is the answer: for the same lens, the same address and the same total. Where it gives
 * some of them again, so is the text of those.
 */
export function listedReply(listed: Listed, at: Around): Reply {
  const { lens, rows, listing, total } = listed
  // Related records may have changed though these rows have not.
  if (listing.include.length > 0) return replyOf(whole(listed, at), false)
  if (!Object.isFrozen(rows)) return replyOf(rows.every(Object.isFrozen) ? joined(listed, at) : whole(listed, at), false)
  const of = `${total?.count} ${total?.exact} ${at.target}`
  const known = pages(lens)
  const last = known.get(rows)
  if (last?.of === of) return last.reply
  const reply = replyOf(whole(listed, at), true)
  known.set(rows, { of, reply })
  return reply
}

function whole(listed: Listed, at: Around): string {
  return JSON.stringify(listedBody(listed, at))
}

/** The same text, of records that were written one by one. */
function joined(listed: Listed, at: Around): string {
  const { lens, rows } = listed
  const known = records(lens)
  const texts = rows.map((row) => {
    const last = known.get(row)
    if (last !== undefined) return last
    const text = JSON.stringify(lens.record(row))
    known.set(row, text)
    return text
  })
  return `{"data":[${texts.join()}],${JSON.stringify(metaOf(listed, at)).slice(1)}`
}

function replyOf(text: string, stays: boolean): Reply {
  const body = bytesOf(text)
  return { status: 200, headers: { 'content-type': 'application/json', etag: weakTag(body) }, body, stays }
}
