import type { Common, Component, Tabs } from '../component.js'

/** Components of which one set is shown at a time; what is not shown is not read. `name=uri` in the page's address says which. */
export function tabs(
  spec: Common & {
    readonly name: string
    readonly label: string
    readonly tabs: readonly { readonly uri: string; readonly label: string; readonly components: readonly Component[] }[]
  },
): Tabs {
  const all = spec.tabs.map((tab) => Object.freeze({ ...tab, components: Object.freeze([...tab.components]) }))
  return Object.freeze({ ...spec, is: 'tabs', tabs: Object.freeze(all) })
}
