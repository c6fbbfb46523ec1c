import type { Query } from '../crud/call/call.js'
import { othersQuery, ownParameter, ownQuery } from '../crud/input/own-query.js'
import type { Around } from './face.js'

/** The context of a component that has parameters of its own in the page's URL. */
export function within(at: Around, name: string): Around {
  return { ...at, query: ownQuery(at.query, name), within: { name, query: at.query } }
}

/** The parts of a URL. */
export type AddressParts = Pick<Around, 'path' | 'query' | 'within'>

/** The full name of a component's parameter in the page's URL. */
export function parameterIn({ within }: Pick<Around, 'within'>, name: string): string {
  return within ? ownParameter(within.name, name) : name
}

/** The other parameters in the page's URL. */
export function othersIn({ within }: Pick<Around, 'within'>): Query {
  return within ? othersQuery(within.query, within.name) : none
}

const none: Query = new Map()
