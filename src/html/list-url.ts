import type { Query } from '../crud/call.js'
import { type AddressParts, othersIn, parameterIn } from '../face/within.js'

/** The address of the same list with some parameters set or, by null, left out. Another list begins at its first page. */
export function listUrl(at: AddressParts, changes: Readonly<Record<string, string | number | null>>): string {
  const left: [string, string][] = pairs(at.query).filter(([name]) => !(name in changes) && name !== 'page' && name !== 'cursor')
  for (const [name, value] of Object.entries(changes)) if (value !== null) left.push([name, String(value)])
  return address(at, left)
}

/** The address of the list without the parameters that `drop` names; a part of a parameter's values goes by `value`. */
export function listUrlWithout(at: AddressParts, drop: (name: string, value: string) => boolean): string {
  return address(
    at,
    pairs(at.query).filter(([name, value]) => name !== 'page' && name !== 'cursor' && !drop(name, value)),
  )
}

// What is only searched to filter by says nothing of the list.
const passing = /^_(?:find|asked)\[/

/** Every parameter that was given something, in its order. */
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
