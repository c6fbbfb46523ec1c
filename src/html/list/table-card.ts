import { block, type Html, html } from '../../base/html.js'
import type { Listed } from '../../crud/outcomes/lists.js'
import type { RelatedList } from '../../crud/outcomes/records.js'
import type { PresenterContext } from '../../face/face.js'
import { within } from '../../face/within.js'
import { newText } from '../../resource/singular.js'
import { buttonLink } from '../components/button.js'
import { chips } from '../components/chips.js'
import { notice } from '../components/notice.js'
import { tokenInput } from '../frame/form-token.js'
import { createUrl } from '../frame/record-urls.js'
import { chipsOf, incomingFilter } from './filters.js'
import { ignoredParameters } from './ignored-parameters.js'
import { drawListed } from './index-page.js'
import { listAnchor, listName, prefillFromPreset } from './list-name.js'
import { columnsOf, rowAddress } from './list-page.js'
import { listScripts } from './list-scripts.js'
import { filteredUrl } from './list-url.js'
import { moveAttributes, movesForm } from './moves.js'
import { rowForms } from './row-writer.js'
import { tableOf } from './table-parts.js'

/** A list as a component: its title, rows and pages. */
export function tableCard(list: Listed, page: PresenterContext): Html {
  const { preset, resource } = list
  const name = listName(list)
  const { t } = page.realm
  const { menus } = rowForms(list, page)
  const found = chipsOf(list, within(page, name))
  return drawListed(list, within(page, name), (one, at, { rows, body, below }) => {
    const all = allUrl(list, at)
    const create = preset?.of ? createUrl(at, resource, prefillFromPreset(list), listAnchor(list)) : null
    const table = tableOf(one, at, columnsOf(one, at), rows, body)
    // Focusable, for who comes back to it.
    return block`
      <section
        class="listing card"
        id="${name}"
        ${preset?.of && html` tabindex="-1"`}
        ${preset?.async && html` data-async data-row="${rowAddress(list, page)}"`}
        ${moveAttributes(one, at)}
        ${listScripts(one, at)}
      >
        <header class="over">
          <h2>${preset?.title ?? resource.title}</h2>
          ${all !== null && html`<a href="${all}">${t('component.all', { title: resource.title })}</a>`}
          ${create !== null && buttonLink({ label: newText(resource, t), href: create, icon: 'plus' })}
        </header>
        ${ignoredParameters(one, at)}${found && chips(found, t)}${table}${below}
        ${menus !== null && html`<form id="${menus}" method="post">${tokenInput(at)}</form>`}
        ${movesForm(one, at)}
      </section>
    `
  })
}

/** Shown in place of a list that could not be read, with a link to try again. */
export function failedCard({ table, resource }: RelatedList, { path, realm: { t } }: PresenterContext): Html {
  const title = table.title ?? resource.title
  return block`
    <section class="listing card" id="${table.name}">
      <header class="over"><h2>${title}</h2></header>
      ${notice('bad', t('component.failed', { title }), [{ text: t('problem.again'), href: path }])}
    </section>
  `
}

/** The URL of the full list; null if it cannot be filtered by the owning record. */
function allUrl({ preset, resource }: Listed, { place }: PresenterContext): string | null {
  if (!preset?.of) return filteredUrl(place, resource, [])
  const { field, key } = preset.of
  return resource.filters.includes(field.key) ? filteredUrl(place, resource, [[incomingFilter(field), key]]) : null
}
