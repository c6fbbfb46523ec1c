import type { Component, Modal } from '../component.js'
import { type OverlaySpec, overlay } from './overlay.js'

/** Components beside the page, opened by a button. */
export function offCanvas(name: string, components: readonly Component[], spec: OverlaySpec): Modal {
  return overlay('off-canvas', name, components, spec)
}
