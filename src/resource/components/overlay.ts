import { a } from '../../base/setting.js'
import { aComponent } from '../model/sorts.js'
import type { Common, Component, Modal } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

/** The options of `modal()` and `offCanvas()`. */
export type OverlaySpec = Common & {
  /** What users read on the button that opens it. */
  readonly label: string
  /** Its heading. Default: the label. */
  readonly title?: string
}

export function overlay(is: Modal['is'], name: string, components: readonly Component[], spec: OverlaySpec): Modal {
  const settings = { name: a.text, components: a.list(aComponent), label: a.text, title: a.text, can: a.value }
  refuseWrong(is === 'modal' ? 'modal()' : 'offCanvas()', { name, components, ...spec }, settings, 'name', 'components', 'label')
  const { label, title = label, ...more } = spec
  return Object.freeze({ is, name, label, title, components: Object.freeze([...components]), ...more })
}
