import { a } from '../../base/setting.js'
import { aComponent } from '../model/sorts.js'
import type { Box, Common, Component } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

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
  const given = { components, ...more, ...(title !== undefined && { title }) }
  refuseWrong('box()', given, { components: a.list(aComponent), title: a.text, can: a.value }, 'components')
  return Object.freeze({ is: 'box', title: title ?? null, components: Object.freeze([...components]), ...more })
}
