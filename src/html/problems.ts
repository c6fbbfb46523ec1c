import { type DaymarkError, errors } from '../base/errors.js'
import type { Html } from '../base/html.js'
import type { Around, Reply } from '../face/face.js'
import { url } from '../route/url.js'
import { buttonLink } from './components/button.js'
import { problem } from './components/problem.js'
import { page } from './page.js'

/** A refusal as a page: what happened, the number to quote, a way on. */
export function problemPage(error: DaymarkError, at: Around): Reply {
  const { t } = at.realm
  const { status } = errors[error.code]
  const title = t(`error.${error.code}`)
  const details = [...error.errors.values()].flat().filter((text) => text !== error.message)
  return page(
    at,
    { title, status, headers: error.headers },
    problem(
      {
        status,
        title,
        text: error.message,
        details,
        requestId: at.requestId,
        actions: at.identity ? waysOn(at) : [],
      },
      t,
    ),
  )
}

/** Back to where one came from, or to the list that this address is below; and always to the first page. */
function waysOn({ realm: { t }, shell, place, path }: Around): Html[] {
  const home = url(place, 'index')
  const ways: Html[] = []
  const list = shell?.menu.map((resource) => ({ title: resource.title, href: url(place, 'crud.index', { resourceUri: resource.uriKey }) }))
  const own = list?.find(({ href }) => href !== path && path.startsWith(href.replace(/crud$/, '')))
  if (own) ways.push(buttonLink({ label: t('problem.list', { title: own.title }), href: own.href }))
  else if (shell && shell.back !== home && shell.back !== path) ways.push(buttonLink({ label: t('action.back'), href: shell.back }))
  return path === home ? ways : [...ways, buttonLink({ label: t('problem.home'), href: home })]
}
