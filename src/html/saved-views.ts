import { importModes } from '../crud/import.js'
import { listText } from '../crud/list-text.js'
import type { Around } from '../face/face.js'
import { type Place, url } from '../route/url.js'
import type { AnyList } from './any-list.js'
import type { ViewsView } from './components/views-menu.js'
import { tokenInput } from './form-token.js'
import { namingOf } from './list-name.js'
import { pairs } from './list-url.js'

/** The URL of a saved view. */
export function viewUrl(place: Place, resourceUri: string, query: string): string {
  return url(place, 'crud.index', { resourceUri }) + (query === '' ? '' : `?${query}`)
}

/** A file that a list can be exported to. */
export interface ExportLink {
  /** What users call its format. */
  readonly format: string
  readonly href: string
}

/** The exports of a list, with what was understood of the list's address alone: they refuse anything else. */
export function exportsOf(list: AnyList, at: Around): readonly ExportLink[] {
  return linksOf(list, at, withKey(listQueryText(list, at, list.listing.problems), list, at))
}

/** Where a form sends which rows of a list are to be exported: in its order and columns, whatever its filters. */
export function exportsOfSelected(list: AnyList, at: Around): readonly ExportLink[] {
  const query = new URLSearchParams(withKey(listQueryText(list, at, list.listing.problems), list, at))
  for (const name of [...query.keys()]) if (name !== 'sort' && name !== 'fields') query.delete(name)
  return linksOf(list, at, String(query))
}

function linksOf(list: AnyList, at: Around, query: string): readonly ExportLink[] {
  const naming = String(new URLSearchParams(namingOf(list).map(([...one]) => one)))
  const formats = [...at.realm.formats.values()].map(({ name, label }) => ({ label, asked: `format=${name}` }))
  return [{ label: 'CSV', asked: '' }, ...formats].map(({ label, asked }) => {
    const all = [naming, query, asked].filter(Boolean).join('&')
    return { format: label, href: url(at.place, 'crud.export', { resourceUri: list.resource.uriKey }) + (all === '' ? '' : `?${all}`) }
  })
}

/** The query with the key among the columns that it names, where an import needs it. */
function withKey(text: string, { resource, lens }: AnyList, { realm, identity }: Around): string {
  const query = new URLSearchParams(text)
  const fields = query.get('fields')?.split(',')
  const { key } = resource.model.key
  if (!fields || fields.includes(key) || !lens.readable.has(key) || identity === null) return text
  if (!importModes({ realm, identity, resource }).includes('update')) return text
  query.set('fields', [key, ...fields].join(','))
  return String(query)
}

/** The caller's saved views of a list, and what is needed to save the current one. */
export function viewsOf(list: AnyList, at: Around): ViewsView {
  const { uriKey, table } = list.resource
  const now = [listText(pairs(at.query)), listQueryText(list, at)]
  return {
    id: `${table.name}-views`,
    action: url(at.place, 'preferences'),
    token: tokenInput(at),
    resourceUri: uriKey,
    query: listQueryText(list, at),
    all: (at.shell?.chosen.views.get(uriKey) ?? []).map(({ name, query }) => ({
      name,
      href: viewUrl(at.place, uriKey, query),
      current: now.includes(query),
    })),
  }
}

/** The list's query, with the columns if they come from the caller's preferences and so are not in the URL. */
function listQueryText({ resource, lens }: AnyList, at: Around, without: ReadonlyMap<string, unknown> = new Map()): string {
  const all = pairs(at.query).filter(([name]) => !without.has(name) && !without.has(name.replace(/\[\]$/, '')))
  const chosen = at.shell?.chosen.columns.has(resource.uriKey) && resource.columnSelection
  if (chosen && !all.some(([name]) => name === 'fields')) all.push(['fields', lens.shown.map(({ key }) => key).join(',')])
  return listText(all)
}
