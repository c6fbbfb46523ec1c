import type { Listed } from '../crud/outcome.js'

/** A list, whether its rows are there at once or read while they are sent. */
export type AnyList = Pick<Listed, 'resource' | 'lens' | 'listing' | 'asked' | 'related' | 'total' | 'preset'>
