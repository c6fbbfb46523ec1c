import { block, type Html, html } from '../../base/html.js'
import type { IconName } from '../../base/icon-paths.js'
import { restoreParameter } from '../../crud/history/restore.js'
import type { History, HistoryEntry } from '../../crud/outcomes/records.js'
import { labelOf } from '../../crud/relation/label.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { url } from '../../route/url.js'
import { buttonLink } from '../components/button.js'
import { empty } from '../components/empty.js'
import { columns } from '../components/facts.js'
import { crumbs, heading } from '../components/heading.js'
import { icon } from '../components/icon.js'
import { page } from '../frame/page.js'
import { recordUrls, relatedUrls } from '../frame/record-urls.js'
import { changesTable } from '../list/changes-table.js'
import { listCrumbs } from '../list/list-crumbs.js'

/** What was written to a record, the newest first. */
export function historyPage(history: History, at: PresenterContext): Reply {
  const { resource, lens, row, key, entries, isFirst, nextCursor } = history
  const { realm, place } = at
  const { t } = realm
  const label = labelOf(lens, row)
  const trail = crumbs([...listCrumbs(resource, at), { label, href: recordUrls(place, resource.uriKey).show(key) }], t)
  const around = { realm, related: history.related, relatedUrl: relatedUrls(at, lens) }
  const drawChanges = ({ action, changes }: HistoryEntry) =>
    changesTable(
      action,
      changes.map((one) => ({ label: one.field.label, ...one })),
      around,
    )
  const time = new Intl.DateTimeFormat(realm.locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: realm.timeZone })
  const shown =
    entries.length > 0
      ? block`
        <ol class="history">
          ${entries.map(
            (entry) => block`
              <li class="card">${entryHead(entry, time, at)}${drawChanges(entry)}${entry.restores && restoreLink(entry, history, at)}</li>
            `,
          )}
        </ol>
      `
      : block`
        <div class="card">
          ${empty({ icon: 'clock', ...(isFirst && nextCursor === null ? { title: t('history.none'), text: t('history.noneText') } : { title: t('history.noneSeen'), text: t('history.noneSeenText') }) })}
        </div>
      `
  const older = nextCursor !== null && buttonLink({ label: t('history.older'), href: historyUrl(at, resource.uriKey, key, nextCursor) })
  const newest = !isFirst && buttonLink({ label: t('history.newest'), href: historyUrl(at, resource.uriKey, key) })
  const more = (older || newest) && html`<nav class="actions" aria-label="${t('history.title')}">${newest}${older}</nav>`
  return page(
    at,
    { title: `${t('history.title')} · ${label}` },
    html`<div class="record">${trail}${heading({ title: t('history.title') })}${columns(html`${shown}${more}`, null)}</div>`,
  )
}

/** The URL of a record's history, or of a page of it. */
export function historyUrl({ place }: PresenterContext, resourceUri: string, resourceItem: string, cursor?: string): string {
  return url(place, 'crud.history', { resourceUri, resourceItem, ...(cursor !== undefined && { query: { cursor } }) })
}

const icons: { readonly [A in HistoryEntry['action']]: IconName } = { create: 'plus', update: 'edit', delete: 'delete', restore: 'undo' }

function entryHead({ action, at: instant, userName }: HistoryEntry, time: Intl.DateTimeFormat, { realm: { t } }: PresenterContext): Html {
  return block`
    <h2>
      ${icon(icons[action])}<span>${t(`history.${action}`, { name: userName })}</span>
      <time datetime="${instant.toISOString()}">${time.format(instant)}</time>
    </h2>
  `
}

/** Leads to the record's form with the values from before. Nothing is written before the user saves it. */
function restoreLink({ id }: HistoryEntry, { resource, key }: History, at: PresenterContext): Html {
  const { t } = at.realm
  const params = { resourceUri: resource.uriKey, pageUri: 'form-page', resourceItem: key, query: { [restoreParameter]: String(id) } }
  return block`
    <div class="actions">${buttonLink({ label: t('history.putBack'), icon: 'undo', href: url(at.place, 'resource.page', params) })}</div>
  `
}
