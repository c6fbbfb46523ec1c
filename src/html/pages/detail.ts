import type { Identity } from '../../auth/identity.js'
import { block, type Html, html } from '../../base/html.js'
import { may, mayRecord } from '../../crud/call/allow.js'
import { type Lens, meets } from '../../crud/call/lens.js'
import type { Shown } from '../../crud/outcomes/records.js'
import { isHistoryList } from '../../crud/relation/history-subjects.js'
import { labelOf } from '../../crud/relation/label.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { url } from '../../route/url.js'
import type { Row } from '../../store/store.js'
import { buttonLink } from '../components/button.js'
import { columns, type Fact, facts } from '../components/facts.js'
import { crumbs, heading } from '../components/heading.js'
import { icon } from '../components/icon.js'
import { type MenuItem, menu } from '../components/menu.js'
import { neighbours } from '../components/neighbours.js'
import { assetUrl } from '../frame/assets.js'
import { tokenInput } from '../frame/form-token.js'
import { page } from '../frame/page.js'
import { recordUrls, relatedUrls } from '../frame/record-urls.js'
import { viewAsItem } from '../frame/view-as-item.js'
import { buttonsForm, resourceButtons } from '../list/buttons.js'
import { changeCard, changeHeading } from '../list/history-cells.js'
import { incomingLinks } from '../list/incoming-links.js'
import { listCrumbs } from '../list/list-crumbs.js'
import { recordOf, rowMaker } from '../list/rows.js'
import { failedCard, tableCard } from '../list/table-card.js'
import { historyUrl } from './history-page.js'
import { threadCard } from './thread.js'

export function detailPage(outcome: Shown, at: PresenterContext): Reply {
  const { resource, lens, row } = outcome
  const label = changeHeading(outcome, at) ?? labelOf(lens, row)
  const { cards, side } = factsOf(outcome, at)
  const aside = [side.length > 0 && html`<div class="card">${facts(side)}</div>`, incomingLinks(outcome, at)].filter(
    (one) => one !== null && one !== false,
  )
  const own = resourceButtons(resource, at, { page: 'detail', key: outcome.key, record: recordOf(lens, row) })
  const above = listCrumbs(resource, at)
  return page(
    at,
    { title: label },
    block`
      <div class="record">
        ${above.length > 0 && neighbours(assetUrl(at.place, 'neighbours.js'), at.realm.t)}
        ${above.length > 0 && crumbs(above, at.realm.t)}
        ${heading({ title: label, actions: actions(outcome, at, own) })}
        ${own.length > 0 && buttonsForm(at)}
        ${columns(
          block`
            ${aside.length === 0 && cards.length > 1 ? html`<div class="sections">${cards.map(card)}</div>` : cards.map(card)}
            ${changeCard(outcome, at)}${outcome.thread && threadCard(outcome.thread, outcome, at)}
            ${outcome.belonging.map((one) => (one.list ? tableCard(one.list, at) : failedCard(one, at)))}
          `,
          aside.length > 0 ? html`${aside}` : null,
        )}
      </div>
    `,
  )
}

interface Card {
  readonly label: string | null
  readonly facts: Fact[]
}

function card({ label, facts: all }: Card): Html {
  if (label === null) return html`<div class="card">${facts(all)}</div>`
  return html`<section class="card titled" aria-label="${label}"><h2>${label}</h2>${facts(all)}</section>`
}

/** Values in their sections; of those in none, editable ones go into the main column, system values beside it. */
function factsOf(
  { lens, row, key, related, sections }: Shown,
  at: PresenterContext,
): { readonly cards: readonly Card[]; readonly side: readonly Fact[] } {
  const made = rowMaker(at.realm, lens).values(row, {
    related,
    relatedUrl: relatedUrls(at, lens),
    href: null,
    files: recordUrls(at.place, lens.resource.uriKey).show(key),
    rowNumber: 0,
    record: recordOf(lens, row),
    inWords: true,
    save: null,
    roles: [],
  })
  const cards = sections.map(({ label }): Card => ({ label, facts: [] }))
  // What is in no section: a trash shows when its records were deleted.
  const rest: Card = { label: null, facts: [] }
  const side: Fact[] = []
  for (const [i, shown] of lens.shown.entries()) {
    if (isHeading(shown, lens, row) || isChanges(shown, lens)) continue
    const own = 'field' in shown && !shown.field.readOnly && shown.key !== lens.resource.model.key.key
    const label = 'field' in shown ? shown.field.label : shown.computed.label
    const into = cards[sections.findIndex(({ fields }) => fields.includes(shown.key))] ?? rest
    ;(own || into.label !== null ? into.facts : side).push({ label, value: made[i] as Html })
  }
  const filled = [...cards, rest].filter((one) => one.facts.length > 0)
  return filled.length > 0 ? { cards: filled, side } : { cards: [{ label: null, facts: side }], side: [] }
}

/** What has a card of its own. */
const isChanges = ({ key }: Lens['shown'][number], { resource }: Lens) => key === 'changes' && isHistoryList(resource)

/** Whether a value is the heading of the page, as it is; and no declaration says that it stands beside the others, too. */
function isHeading(shown: Lens['shown'][number], lens: Lens, row: Row): boolean {
  if ('field' in shown || shown.key !== lens.resource.label?.key) return false
  const { written } = lens.resource.trashOf ?? lens.resource
  const { detail } = Object(written.pages) as { readonly detail?: unknown }
  return detail === undefined && shown.value(row) === labelOf(lens, row)
}

function actions({ resource, lens, row, key }: Shown, at: PresenterContext, own: readonly Html[]): Html[] {
  const { realm, place } = at
  const { t } = realm
  const identity = at.identity as Identity
  const record = recordOf(lens, row)
  const urls = recordUrls(place, resource.uriKey)
  const can = (ability: 'update' | 'delete') => may(realm, identity, resource, ability) && mayRecord(identity, resource, ability, record)
  const items: MenuItem[] = []
  if (may(realm, identity, resource, 'create')) {
    items.push({
      label: t('action.duplicate'),
      icon: 'copy',
      href: url(place, 'resource.page', { resourceUri: resource.uriKey, pageUri: 'form-page', query: { duplicate: key } }),
    })
  }
  if (meets(resource.history, identity))
    items.push({ label: t('history.title'), drawn: 'clock', href: historyUrl(at, resource.uriKey, key) })
  const viewed = viewAsItem(resource, record, at, 'act')
  if (viewed) items.push(viewed)
  if (can('delete'))
    items.push({ label: t('action.delete'), icon: 'delete', danger: true, form: 'act', action: urls.show(key), method: 'DELETE' })
  return [
    ...own,
    ...(items.length > 0 ? [moreMenu(items, t('action.more'), at)] : []),
    ...(can('update') ? [buttonLink({ label: t('action.edit'), href: urls.form(key), icon: 'edit', tone: 'primary' })] : []),
  ]
}

/** The less frequent actions, behind one button. */
function moreMenu(items: readonly MenuItem[], label: string, at: PresenterContext): Html {
  return block`
    <form id="act" method="post">${tokenInput(at)}</form>
    <button type="button" class="button square" popovertarget="more" aria-label="${label}">${icon('more')}</button>
    ${menu('more', items)}
  `
}
