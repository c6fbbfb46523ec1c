import { a } from '../../base/setting.js'
import type { Common, Heading } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

/** A heading within a page. */
export function heading(text: string, more: Common = {}): Heading {
  refuseWrong('heading()', { text, ...more }, { text: a.text, can: a.value }, 'text')
  return Object.freeze({ is: 'heading', text, ...more })
}
