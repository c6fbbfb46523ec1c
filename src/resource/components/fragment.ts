import type { Common, Component, Fragment } from '../component.js'

/** A part of a page that comes alone: `?_fragment-load=name`. */
export function fragment(
  name: string,
  components: readonly Component[],
  spec: Common & {
    /** The page comes without it, and asks for it then. */
    readonly deferred?: boolean
    /** What stands for it meanwhile, and what asks for it where there is no script. Default: its name. */
    readonly label?: string
  } = {},
): Fragment {
  const { deferred = false, label = name, ...more } = spec
  return Object.freeze({ is: 'fragment', name, deferred, label, components: Object.freeze([...components]), ...more })
}
