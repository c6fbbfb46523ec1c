import type { Html } from '../../base/html.js'
import type { Common, Paragraph } from '../component.js'

/** Text, or markup that `html` made. */
export function paragraph(content: string | Html, more: Common = {}): Paragraph {
  return Object.freeze({ is: 'paragraph', content, ...more })
}
