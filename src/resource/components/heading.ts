import type { Common, Heading } from '../pages/component.js'

/** A heading within a page. */
export function heading(text: string, more: Common = {}): Heading {
  return Object.freeze({ is: 'heading', text, ...more })
}
