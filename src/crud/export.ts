import type { Call } from './call.js'
import { nothingChosen } from './chosen.js'
import { viewOf } from './list.js'
import { listMeant } from './named-list.js'
import type { Exported } from './outcome.js'
import { readChunks } from './stream.js'

/** All rows of a list, whatever its page. Strict, since a file has no place to report an ignored parameter. */
export async function exportList(call: Call): Promise<Exported> {
  const meant = listMeant(call)
  const own: Call = { ...meant, chosen: nothingChosen, wants: { ...meant.wants, wholeRows: false, labels: true, strict: true } }
  const { lens, listing, relations } = viewOf(own)
  const shown = relations.filter(({ field }) => lens.shown.some(({ key }) => key === field.key))
  return { is: 'exported', resource: call.resource, lens, chunks: await readChunks(own, lens, listing, shown), relations: shown }
}
