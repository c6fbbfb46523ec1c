import type { Component, Modal } from '../component.js'
import { type OverlaySpec, overlay } from './overlay.js'

/** Components over the page, opened by a button. */
export function modal(name: string, components: readonly Component[], spec: OverlaySpec): Modal {
  return overlay('modal', name, components, spec)
}
