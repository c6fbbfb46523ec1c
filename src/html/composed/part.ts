import type { Html } from '../../base/html.js'
import type { Part } from '../../crud/outcomes/pages.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { pagePath } from '../../face/page-path.js'
import { within } from '../../face/within.js'
import { drawListed, streamedPage } from '../list/index-page.js'
import { isComponent, listName } from '../list/list-name.js'
import { listCard } from '../list/list-page.js'
import { rowWriter } from '../list/row-writer.js'
import { drawFilled } from './composed.js'

/** A part of a page alone. Its links lead to the page, not to the part. */
export function partReply({ content, at: page }: Part, around: PresenterContext): Reply {
  const at = around.route?.name === 'component' ? { ...around, path: pagePath(around.place, page) } : around
  switch (content.is) {
    case 'listed':
      return markup(drawListed(content, at, listCard))
    case 'streamed':
      return streamedPage(content, at, (...given) => markup(listCard(...given)))
    case 'row': {
      const own = isComponent(content) ? within(at, listName(content)) : at
      return markup(rowWriter(content, own)(content.row, content.number, content.related, content.moves))
    }
    default:
      return markup(drawFilled(content, at))
  }
}

/** Markup that is no whole page. */
export function markup(content: Html): Reply {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: String(content) }
}
