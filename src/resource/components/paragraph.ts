import type { Html } from '../../base/html.js'
import { a } from '../../base/setting.js'
import { markup } from '../model/sorts.js'
import type { Common, Paragraph } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

/** A paragraph of text, or of markup made by `html`. */
export function paragraph(content: string | Html, more: Common = {}): Paragraph {
  refuseWrong('paragraph()', { content, ...more }, { content: a.either(a.text, markup), can: a.value }, 'content')
  return Object.freeze({ is: 'paragraph', content, ...more })
}
