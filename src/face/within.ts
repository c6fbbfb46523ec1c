import type { Query } from '../crud/call.js'
import { othersQuery, ownParameter, ownQuery } from '../crud/own-query.js'
import type { Around } from './face.js'

/** Around a component that has parameters of its own in the page's address. */
export function within(at: Around, name: string): Around {
  return { ...at, query: ownQuery(at.query, name), within: { name, query: at.query } }
}

/** What an address is made of. */
export type AddressParts = Pick<Around, 'path' | 'query' | 'within'>

/** A parameter as the page's address calls it. */
export function parameterIn({ within }: Pick<Around, 'within'>, name: string): string {
  return within ? ownParameter(within.name, name) : name
}

/** What else stands in the page's address. */
export function othersIn({ within }: Pick<Around, 'within'>): Query {
  return within ? othersQuery(within.query, within.name) : none
}

const none: Query = new Map()
