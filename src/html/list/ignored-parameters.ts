import type { Html } from '../../base/html.js'
import type { PresenterContext } from '../../face/face.js'
import { isWrong } from '../components/filter.js'
import { notice } from '../components/notice.js'
import type { AnyList } from './any-list.js'
import { filterViews } from './filters.js'
import { listUrlWithout } from './list-url.js'

/** The parts of the URL that a list has ignored, each with a link without it; null: none. */
export function ignoredParameters(list: AnyList, at: PresenterContext): Html | null {
  const { problems } = list.listing
  if (problems.size === 0) return null
  const without = (name: string) => listUrlWithout(at, (one) => one === name || one === `${name}[]`)
  const lines = [...problems].flatMap(([name, texts]) => texts.map((text) => ({ text, href: without(name) })))
  // What is in the controls of filters has been typed there, as far as its user knows.
  const typed = new Set(
    filterViews(list, at)
      .views.filter(isWrong)
      .map(({ key }) => key),
  )
  const isTyped = [...problems.keys()].every((name) => typed.has(/^filter\[([^\]]*)\]/.exec(name)?.[1] ?? ''))
  return notice('warn', at.realm.t(isTyped ? 'list.notFiltered' : 'list.leftAside'), lines)
}
