import { a } from '../../base/setting.js'
import { aComponent } from '../model/sorts.js'
import type { Common, Component, Fragment } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

/**
 * Components that also load alone, at `?_fragment-load={name}` of the page.
 *
 * @param name unique on its page
 */
export function fragment(
  name: string,
  components: readonly Component[],
  spec: Common & {
    /** `true` loads them after the page; without script, a link shows the page with them. Default: `false`. */
    readonly deferred?: boolean
    /** What users read until they have loaded, and the text of that link. Default: the name. */
    readonly label?: string
  } = {},
): Fragment {
  const settings = { name: a.text, components: a.list(aComponent), deferred: a.switch, label: a.text, can: a.value }
  refuseWrong('fragment()', { name, components, ...spec }, settings, 'name', 'components')
  const { deferred = false, label = name, ...more } = spec
  return Object.freeze({ is: 'fragment', name, deferred, label, components: Object.freeze([...components]), ...more })
}
