import type { Common, Component, Modal } from '../pages/component.js'

/** The options of `modal()` and `offCanvas()`. */
export type OverlaySpec = Common & {
  /** What users read on the button that opens it. */
  readonly label: string
  /** Its heading. Default: the label. */
  readonly title?: string
}

export function overlay(is: Modal['is'], name: string, components: readonly Component[], spec: OverlaySpec): Modal {
  const { label, title = label, ...more } = spec
  return Object.freeze({ is, name, label, title, components: Object.freeze([...components]), ...more })
}
