import { block, type Html, html } from '../../base/html.js'
import type { Palette } from '../../crud/outcomes/found.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { type Target, targetsOf } from '../../face/targets.js'
import { url } from '../../route/url.js'
import { button } from '../components/button.js'
import { columns } from '../components/facts.js'
import { heading } from '../components/heading.js'
import { page } from '../frame/page.js'

/** The palette as a page, for whoever opens its URL. */
export function palettePage(palette: Palette, at: PresenterContext): Reply {
  const { t } = at.realm
  const title = t('palette.title')
  const how = t('palette.how')
  const ask = block`
    <form class="ask" role="search" action="${url(at.place, 'palette')}">
      <input type="search" name="query" value="${palette.query}" aria-label="${how}" placeholder="${how}">
      ${button({ label: t('list.search') })}
    </form>
  `
  const found = targetsOf(palette, at)
  const links = found.length > 0 ? html`<ul class="card links">${found.map(link)}</ul>` : html`<p class="muted">${t('form.foundNone')}</p>`
  return page(at, { title }, html`<div class="record">${heading({ title })}${columns(html`${ask}${links}`, null)}</div>`)
}

function link({ label, url: href, group, hint }: Target): Html {
  return html`<li><a href="${href}">${label} <span class="muted">${hint ?? group}</span></a></li>`
}
