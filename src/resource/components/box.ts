import type { Box, Common, Component } from '../component.js'

/** Components in a card. `title` defaults to none. */
export function box(components: readonly Component[], { title, ...more }: Common & { readonly title?: string } = {}): Box {
  return Object.freeze({ is: 'box', title: title ?? null, components: Object.freeze([...components]), ...more })
}
