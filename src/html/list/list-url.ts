import type { Query } from '../../crud/call/input.js'
import { type AddressParts, othersIn, parameterIn } from '../../face/within.js'
import { asWhole } from '../../resource/pages/view.js'
import type { Resource } from '../../resource/resource.js'
import { type Place, url } from '../../route/url.js'

/** The URL of the list with some parameters set or, by null, removed. It leads to the first page. */
export function listUrl(at: AddressParts, changes: Readonly<Record<string, string | number | null>>): string {
  const left: [string, string][] = pairs(at.query).filter(([name]) => !(name in changes) && name !== 'page' && name !== 'cursor')
  for (const [name, value] of Object.entries(changes)) if (value !== null) left.push([name, String(value)])
  return address(at, left)
}

/** The URL of the list without the parameter values that `drop` selects. */
export function listUrlWithout(at: AddressParts, drop: (name: string, value: string) => boolean): string {
  return address(
    at,
    pairs(at.query).filter(([name, value]) => name !== 'page' && name !== 'cursor' && !drop(name, value)),
  )
}

/** The URL of a resource's list with these filters. */
export function filteredUrl(place: Place, resource: Resource, query: readonly (readonly [name: string, text: string])[]): string {
  const list = url(place, 'crud.index', { resourceUri: resource.uriKey })
  if (query.length === 0) return list
  const all = [...query.map(([name, text]): [string, string] => [name, text]), ...Object.entries(asWhole(resource))]
  return `${list}?${new URLSearchParams(all)}`
}

// The search inside a relation filter is not part of the list.
const passing = /^_(?:find|asked)\[/

/** Every non-empty parameter, in order. */
export function pairs(query: Query): [name: string, value: string][] {
  const all: [string, string][] = []
  for (const [name, values] of query) for (const value of values) if (value !== '' && !passing.test(name)) all.push([name, value])
  return all
}

function address(at: AddressParts, all: [string, string][]): string {
  const named = all.map(([name, value]): [string, string] => [parameterIn(at, name), value])
  const text = new URLSearchParams([...pairs(othersIn(at)), ...named]).toString()
  return text === '' ? at.path : `${at.path}?${text}`
}
