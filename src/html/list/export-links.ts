import { importModes } from '../../crud/import/import.js'
import type { PresenterContext } from '../../face/face.js'
import { url } from '../../route/url.js'
import type { AnyList } from './any-list.js'
import { listNameParameters } from './list-name.js'
import { listQueryText } from './saved-views.js'

/** A file that a list can be exported to. */
export interface ExportLink {
  /** What users call its format. */
  readonly format: string
  readonly href: string
}

/** The exports of a list, with what was understood of the list's address alone: they refuse anything else. */
export function exportsOf(list: AnyList, at: PresenterContext): readonly ExportLink[] {
  return linksOf(list, at, withKey(listQueryText(list, at, new Map([...list.listing.problems, ['view', []]])), list, at))
}

/** Where a form sends which rows of a list are to be exported: in its order and columns, whatever its filters. */
export function exportsOfSelected(list: AnyList, at: PresenterContext): readonly ExportLink[] {
  const query = new URLSearchParams(withKey(listQueryText(list, at, list.listing.problems), list, at))
  for (const name of [...query.keys()]) if (name !== 'sort' && name !== 'fields') query.delete(name)
  return linksOf(list, at, String(query))
}

function linksOf(list: AnyList, at: PresenterContext, query: string): readonly ExportLink[] {
  const naming = String(new URLSearchParams(listNameParameters(list).map(([...one]) => one)))
  const formats = [...at.realm.formats.values()].map(({ name, label }) => ({ label, asked: `format=${name}` }))
  return [{ label: 'CSV', asked: '' }, ...formats].map(({ label, asked }) => {
    const all = [naming, query, asked].filter(Boolean).join('&')
    return { format: label, href: url(at.place, 'crud.export', { resourceUri: list.resource.uriKey }) + (all === '' ? '' : `?${all}`) }
  })
}

/** The query with the key among the columns that it names, where an import needs it. */
function withKey(text: string, { resource, lens }: AnyList, { realm, identity }: PresenterContext): string {
  const query = new URLSearchParams(text)
  const fields = query.get('fields')?.split(',')
  const { key } = resource.model.key
  if (!fields || fields.includes(key) || !lens.readable.has(key) || identity === null) return text
  if (!importModes({ realm, identity, resource }).includes('update')) return text
  query.set('fields', [key, ...fields].join(','))
  return String(query)
}
