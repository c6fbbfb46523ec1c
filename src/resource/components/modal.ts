import type { Component, Modal } from '../pages/component.js'
import { type OverlaySpec, overlay } from './overlay.js'

/**
 * Components in a dialog that a button opens.
 *
 * @param name unique on its page
 */
export function modal(name: string, components: readonly Component[], spec: OverlaySpec): Modal {
  return overlay('modal', name, components, spec)
}
