import type { Lens } from '../../crud/call/lens.js'
import type { Chunk, Listed, Streamed } from '../../crud/outcomes/lists.js'
import { relatedRecords } from '../../crud/relation/related.js'
import type { NamedRelation } from '../../crud/relation/relation.js'
import type { PresenterContext } from '../../face/face.js'
import type { Json } from '../../field/field.js'
import { metaOf } from '../meta.js'
import { type SummaryBody, summaryBody } from '../summary.js'

/** The JSON of lists. */

type Fields = Record<string, Json>

/** A list as one part of a body. */
export function listedBody(listed: Listed, at: PresenterContext) {
  return { data: recordsOf(listed.lens, listed.listing.include, listed), ...metaOf(listed, at), ...summaryPart(listed) }
}

/** The numbers below the columns of a list, if they were asked for. */
export function summaryPart({ summary }: Pick<Listed, 'summary'>): { readonly summary?: SummaryBody } {
  return summary ? { summary: summaryBody(summary) } : {}
}

/** A list without pages, streamed while it is read. The total is known only at the end. */
export async function* streamedBody(streamed: Streamed): AsyncGenerator<string | Uint8Array> {
  let total = 0
  yield '{"data":['
  for await (const chunk of streamed.chunks) {
    if (total > 0) yield ','
    yield chunk.written?.records ?? recordTexts(streamed.lens, streamed.listing.include, chunk).join()
    total += chunk.written?.count ?? chunk.rows.length
  }
  yield `],${JSON.stringify({ meta: { total }, ...summaryPart(streamed) }).slice(1)}`
}

type Rows = Pick<Chunk, 'rows' | 'related'>

function recordsOf(lens: Lens, include: readonly NamedRelation[], { rows, related }: Rows): readonly Fields[] {
  return rows.map((row) => {
    const record: Fields = lens.record(row)
    for (const one of include) record[one.name] = relatedRecords(related, one, lens, row)
    return record
  })
}

/** The records, each as JSON text. */
export function recordTexts(lens: Lens, include: readonly NamedRelation[], chunk: Rows): readonly string[] {
  return recordsOf(lens, include, chunk).map((record) => JSON.stringify(record))
}
