import type { Box, Common, Component } from '../pages/component.js'

/** Components in a card. */
export function box(
  components: readonly Component[],
  {
    title,
    ...more
  }: Common & {
    /** Its heading. Default: none. */
    readonly title?: string
  } = {},
): Box {
  return Object.freeze({ is: 'box', title: title ?? null, components: Object.freeze([...components]), ...more })
}
