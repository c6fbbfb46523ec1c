import type { Common, Component, Tabs } from '../pages/component.js'

/** Sets of components of which one is shown at a time; `?{name}={uri}` in the page's URL selects it. Hidden tabs are not read. */
export function tabs(
  spec: Common & {
    /** Unique on its page: lower-case letters, digits and hyphens. */
    readonly name: string
    /** What screen readers call the tabs. */
    readonly label: string
    /** The tabs, at least one, each with a URI of its own. */
    readonly tabs: readonly {
      /** Selects the tab in the page's URL: `?{name}={uri}`. */
      readonly uri: string
      /** What users read on the tab. */
      readonly label: string
      /** What is in it. */
      readonly components: readonly Component[]
    }[]
  },
): Tabs {
  const all = spec.tabs.map((tab) => Object.freeze({ ...tab, components: Object.freeze([...tab.components]) }))
  return Object.freeze({ ...spec, is: 'tabs', tabs: Object.freeze(all) })
}
