import type { Component, Modal } from '../pages/component.js'
import { type OverlaySpec, overlay } from './overlay.js'

/**
 * Components at the edge of the page that a button opens.
 *
 * @param name unique on its page
 */
export function offCanvas(name: string, components: readonly Component[], spec: OverlaySpec): Modal {
  return overlay('off-canvas', name, components, spec)
}
