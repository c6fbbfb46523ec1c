import type { Listed } from '../crud/outcomes/lists.js'
import { bytesOf } from '../face/bytes.js'
import type { PresenterContext, Reply } from '../face/face.js'
import { perLens } from '../face/per-lens.js'
import type { Row } from '../store/store.js'
import type { WrittenPage } from '../store/written.js'
import { recordTexts, summaryPart } from './bodies/lists.js'
import { metaOf } from './meta.js'
import { weakTag } from './tag.js'

interface Known {
  readonly of: string
  readonly reply: Reply
}

const pages = perLens<readonly Row[], Known>()
const records = perLens<Row, string>()

/**
 * A page of a list. A store that caches returns the same frozen rows again: then the whole answer is reused for the same lens, URL and
 * total. If only some rows are the same frozen ones, their text is reused.
 */
export function listedReply(listed: Listed, at: PresenterContext): Reply {
  const { lens, rows, listing, total, written } = listed
  if (written) return writtenReply(written, restOf(listed, at))
  // These rows may be unchanged while their related records have changed.
  if (listing.include.length > 0) return replyOf(bodyOf(listed, at, joined(recordTexts(lens, listing.include, listed))), false)
  if (!Object.isFrozen(rows))
    return replyOf(bodyOf(listed, at, rows.every(Object.isFrozen) ? joined(knownTexts(listed)) : textOf(listed)), false)
  // Other rows than these change the numbers below the columns, too.
  const of = `${total?.count} ${total?.exact} ${at.target} ${listed.summary && JSON.stringify(summaryPart(listed))}`
  const known = pages(lens)
  const last = known.get(rows)
  if (last?.of === of) return last.reply
  const reply = replyOf(bodyOf(listed, at, textOf(listed)), true)
  known.set(rows, { of, reply })
  return reply
}

/** @param data the records, as one JSON array */
function bodyOf(listed: Listed, at: PresenterContext, data: string): string {
  return `{"data":${data},${restOf(listed, at)}`
}

const before = Buffer.from('{"data":[')

function writtenReply({ records }: WrittenPage, rest: string): Reply {
  if (typeof records === 'string') return replyOf(`{"data":[${records}],${rest}`, false)
  return tagged(Buffer.concat([before, records, Buffer.from(`],${rest}`)]), false)
}

/** What follows the records. */
function restOf(listed: Listed, at: PresenterContext): string {
  return JSON.stringify({ ...metaOf(listed, at), ...summaryPart(listed) }).slice(1)
}

/** All records in one call, which takes less time than one for each. */
const textOf = ({ lens, rows }: Listed): string => JSON.stringify(rows.map(lens.record))

const joined = (records: readonly string[]): string => `[${records.join()}]`

/** The records as text, cached for rows that a store may return again. */
function knownTexts({ lens, rows }: Listed): readonly string[] {
  const known = records(lens)
  return rows.map((row) => {
    const last = known.get(row)
    if (last !== undefined) return last
    const text = lens.text(row)
    known.set(row, text)
    return text
  })
}

function replyOf(text: string, stays: boolean): Reply {
  return tagged(bytesOf(text), stays)
}

function tagged(body: Buffer, stays: boolean): Reply {
  return { status: 200, headers: { 'content-type': 'application/json', etag: weakTag(body) }, body, stays }
}
