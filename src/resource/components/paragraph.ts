import type { Html } from '../../base/html.js'
import type { Common, Paragraph } from '../pages/component.js'

/** A paragraph of text, or of markup made by `html`. */
export function paragraph(content: string | Html, more: Common = {}): Paragraph {
  return Object.freeze({ is: 'paragraph', content, ...more })
}
