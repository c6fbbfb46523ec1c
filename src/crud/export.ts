import type { Call } from './call.js'
import { nothingChosen } from './chosen.js'
import { importModes } from './import.js'
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
  const { resource } = call
  // Without the key, an import of the file could change none of its records. Whoever names the fields gets those.
  const named =
    importModes(call).includes('update') && !call.input.query.has('fields') && !lens.shown.some(({ key }) => key === resource.model.key.key)
  const key = named ? (lens.readable.get(resource.model.key.key) ?? null) : null
  return { is: 'exported', resource, lens, key, chunks: await readChunks(own, lens, listing, shown, false), relations: shown }
}
