import { type Html, html } from '../base/html.js'
import type { IconName } from '../base/icon-paths.js'
import type { FieldChange, History, HistoryEntry } from '../crud/outcomes/records.js'
import { labelOf } from '../crud/related.js'
import { restoreParameter } from '../crud/restore.js'
import { valueThen } from '../crud/seen-history.js'
import type { Around, Reply } from '../face/face.js'
import type { Bound, Json } from '../field/field.js'
import { url } from '../route/url.js'
import { buttonLink } from './components/button.js'
import { empty } from './components/empty.js'
import { columns } from './components/facts.js'
import { crumbs, heading } from './components/heading.js'
import { icon } from './components/icon.js'
import { listCrumbs } from './list-crumbs.js'
import { page } from './page.js'
import { recordUrls, relatedUrls } from './record-urls.js'
import { none, relatedContext } from './rows.js'
import { cellContext } from './view-context.js'

/** What was written to a record, the newest first. */
export function historyPage(history: History, at: Around): Reply {
  const { resource, lens, row, key, entries, isFirst, nextCursor } = history
  const { realm, place } = at
  const { t } = realm
  const label = labelOf(lens, row)
  const trail = crumbs([...listCrumbs(resource, at), { label, href: recordUrls(place, resource.uriKey).show(key) }], t)
  const drawChanges = changesWriter(history, at)
  const time = new Intl.DateTimeFormat(realm.locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: realm.timeZone })
  const shown =
    entries.length > 0
      ? html`<ol class="history">${entries.map((entry) => html`<li class="card">${entryHead(entry, time, at)}${drawChanges(entry)}${entry.restores && restoreLink(entry, history, at)}</li>`)}</ol>`
      : html`<div class="card">${empty({ icon: 'clock', ...(isFirst && nextCursor === null ? { title: t('history.none'), text: t('history.noneText') } : { title: t('history.noneSeen'), text: t('history.noneSeenText') }) })}</div>`
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
export function historyUrl({ place }: Around, resourceUri: string, resourceItem: string, cursor?: string): string {
  return url(place, 'crud.history', { resourceUri, resourceItem, ...(cursor !== undefined && { query: { cursor } }) })
}

const icons: { readonly [A in HistoryEntry['action']]: IconName } = { create: 'plus', update: 'edit', delete: 'delete', restore: 'undo' }

function entryHead({ action, at: instant, userName }: HistoryEntry, time: Intl.DateTimeFormat, { realm: { t } }: Around): Html {
  return html`<h2>${icon(icons[action])}<span>${t(`history.${action}`, { name: userName })}</span><time datetime="${instant.toISOString()}">${time.format(instant)}</time></h2>`
}

/** Leads to the record's form with the values from before. Nothing is written before the user saves it. */
function restoreLink({ id }: HistoryEntry, { resource, key }: History, at: Around): Html {
  const { t } = at.realm
  const params = { resourceUri: resource.uriKey, pageUri: 'form-page', resourceItem: key, query: { [restoreParameter]: String(id) } }
  return html`<div class="actions">${buttonLink({ label: t('history.putBack'), icon: 'undo', href: url(at.place, 'resource.page', params) })}</div>`
}

/** Draws what an entry changed: before and after, or what there was at all. */
function changesWriter({ lens, related }: History, at: Around): (entry: HistoryEntry) => Html | null {
  const { t } = at.realm
  const relatedUrl = relatedUrls(at, lens)
  const head = (...labels: readonly string[]) => html`<thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>`
  const heads = {
    create: head(t('history.field'), t('history.value')),
    update: head(t('history.field'), t('history.before'), t('history.after')),
    delete: head(t('history.field'), t('history.value')),
    restore: head(t('history.field'), t('history.before'), t('history.after')),
  }
  return ({ action, changes }) =>
    changes.length === 0
      ? null
      : html`<table>${heads[action]}<tbody>${changes.map((change) => html`<tr><th scope="row">${change.field.label}</th>${valuesOf(action, change).map((value) => html`<td>${value}</td>`)}</tr>`)}</tbody></table>`

  function valuesOf(action: HistoryEntry['action'], { field, before, after }: FieldChange): readonly Html[] {
    const kept = action === 'update' || action === 'restore' ? [before, after] : [action === 'create' ? after : before]
    if (!field.kind.secret) return kept.map((one) => drawn(field, one))
    return kept.map((_, i) => (i < kept.length - 1 ? none : html`${t('history.secret')}`))
  }

  function drawn(field: Bound, kept: Json): Html {
    const value = valueThen(field, kept)
    if (value === null || value === '') return none
    // The kind could not hold it today.
    if (value === undefined) return html`${typeof kept === 'string' ? kept : JSON.stringify(kept)}`
    const context = relatedContext(cellContext(at.realm, field), field, related, value, (key, trashed) =>
      relatedUrl(field.key, key, trashed),
    )
    const text = typeof kept === 'string' ? kept : ''
    return text.length > long
      ? folded(field.kind.cell(value, field, context), field.kind.words(value, field, at.realm))
      : field.kind.cell(value, field, context)
  }
}

// About what six lines of a card hold.
const long = 300
const begins = 120

/** A long text is folded: it stands there twice, however little of it has changed. */
function folded(value: Html, text: string): Html {
  return html`<details><summary>${text.slice(0, begins).toWellFormed().replace(/…$/, '')}&hellip;</summary>${value}</details>`
}
