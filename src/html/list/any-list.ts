import type { Listed } from '../../crud/outcomes/lists.js'

/** A list, whether its rows are all read or still to be streamed. */
export type AnyList = Pick<
  Listed,
  'resource' | 'lens' | 'listing' | 'asked' | 'related' | 'total' | 'preset' | 'moves' | 'summary' | 'drawn'
>

/** Whether a list is drawn as one of its views. */
export function hasView<L extends AnyList>(list: L): list is L & { readonly drawn: NonNullable<L['drawn']> } {
  return list.drawn !== null
}
