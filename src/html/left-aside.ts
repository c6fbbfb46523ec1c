import type { Html } from '../base/html.js'
import type { Around } from '../face/face.js'
import type { AnyList } from './any-list.js'
import { notice } from './components/notice.js'
import { listUrlWithout } from './list-url.js'

/** The parts of the URL that a list has ignored, each with a link without it; null: none. */
export function leftAside({ listing: { problems } }: AnyList, at: Around): Html | null {
  if (problems.size === 0) return null
  const lines = [...problems].flatMap(([name, texts]) => texts.map((text) => ({ text, href: listUrlWithout(at, (one) => one === name) })))
  return notice('warn', at.realm.t('list.leftAside'), lines)
}
