import type { Listed } from '../crud/outcome.js'

/** A list, whether its rows are all read or still to be streamed. */
export type AnyList = Pick<Listed, 'resource' | 'lens' | 'listing' | 'asked' | 'related' | 'total' | 'preset' | 'moves' | 'summary'>
