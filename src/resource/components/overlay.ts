import type { Common, Component, Modal } from '../component.js'

/** What a modal and an off-canvas take. */
export type OverlaySpec = Common & {
  /** Of the button that opens it. */
  readonly label: string
  /** Default: the label. */
  readonly title?: string
}

export function overlay(is: Modal['is'], name: string, components: readonly Component[], spec: OverlaySpec): Modal {
  const { label, title = label, ...more } = spec
  return Object.freeze({ is, name, label, title, components: Object.freeze([...components]), ...more })
}
