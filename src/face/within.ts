import type { Query } from '../crud/call/input.js'
import { componentParameter, componentQuery, queryWithoutComponent } from '../crud/input/component-query.js'
import type { PresenterContext } from './face.js'

/** The context of a component that has parameters of its own in the page's URL. */
export function within(at: PresenterContext, name: string): PresenterContext {
  return { ...at, query: componentQuery(at.query, name), within: { name, query: at.query } }
}

/** The parts of a URL. */
export type AddressParts = Pick<PresenterContext, 'path' | 'query' | 'within'>

/** The full name of a component's parameter in the page's URL. */
export function parameterIn({ within }: Pick<PresenterContext, 'within'>, name: string): string {
  return within ? componentParameter(within.name, name) : name
}

/** The other parameters in the page's URL. */
export function othersIn({ within }: Pick<PresenterContext, 'within'>): Query {
  return within ? queryWithoutComponent(within.query, within.name) : none
}

const none: Query = new Map()
