import { a } from '../../base/setting.js'
import { aComponent } from '../model/sorts.js'
import type { Common, Component, Tab, Tabs } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

const aTab = a.form<Tab>({ uri: a.text, label: a.text, components: a.list(aComponent) }, 'uri', 'label', 'components')
const settings = { name: a.text, label: a.text, tabs: a.list(aTab), can: a.value }

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
  refuseWrong('tabs()', spec, settings, 'name', 'label', 'tabs')
  const all = spec.tabs.map((tab) => Object.freeze({ ...tab, components: Object.freeze([...tab.components]) }))
  return Object.freeze({ ...spec, is: 'tabs', tabs: Object.freeze(all) })
}
