import { randomUUID } from 'node:crypto'
import type { Identity } from '../../auth/identity.js'
import { type Html, html, raw } from '../../base/html.js'
import { may } from '../../crud/call/allow.js'
import type { Realm } from '../../crud/call/call.js'
import type { Lens } from '../../crud/call/lens.js'
import type { Listed } from '../../crud/outcomes/lists.js'
import type { MenuEntry } from '../../crud/pages/menu.js'
import { bytesOf } from '../../face/bytes.js'
import type { PresenterContext, Reply, Shell } from '../../face/face.js'
import { abilities } from '../../resource/action/policy.js'
import { trashUrl } from '../frame/record-urls.js'
import type { ListParts } from './list-page.js'

/** The parts of a list page around its rows and its other changing parts, the same on each page. */
interface CachedFrame {
  readonly reply: Reply
  /** Texts, alternating with the marks of what goes between them. */
  readonly around: readonly string[]
}

/** The last whole page, and the rows in it. */
interface Page {
  readonly rows: Html
  readonly body: Buffer
}

/** The caches, by what the drawings depend on. */
interface PageCaches {
  /** Null: requested once, so not kept yet. */
  readonly lists: Map<string, CachedFrame | null>
  readonly pages: Map<string, Page>
}

/** The parts that change from page to page, or as records come and go. */
export type ChangingParts = Omit<ListParts, 'rows' | 'body'>

/** How a page is drawn: the changing parts besides the rows, and the page with both. */
export interface PageRenderer {
  beside(at: PresenterContext): ChangingParts
  page(body: Html, beside: ChangingParts, at: PresenterContext): Reply
}

const known = new WeakMap<Realm, PageCaches>()
// For all lists, URLs and callers: a few megabytes. Beyond that, the oldest entries are dropped.
const most = 100
const longest = 200_000
// Placeholders for the changing parts. They are random, so that no request can contain them.
const marks = { body: randomUUID(), below: randomUUID(), total: randomUUID(), every: randomUUID() }
const anyMark = new RegExp(`(${Object.values(marks).join('|')})`)

/**
 * Inserts rows into the cached rest of a list page, which is kept from the second request on. Its key (`frameKey`) holds everything the
 * presenter depends on except the rows, their number, the page and the request id.
 */
export function cachedPage(list: Listed, asked: PresenterContext, rows: readonly Html[], draws: PageRenderer): Reply {
  const at = { ...asked, requestId: '' }
  const { lists, pages } = cachesOf(at.realm)
  const of = frameKey(list, at)
  const before = lists.get(of)
  if (before === undefined) {
    keep(lists, of, null)
    return draws.page(html`${rows}`, draws.beside(at), at)
  }
  const frame = before ?? drawFrame(list, at, draws)
  if (before === null) keep(lists, of, frame)
  const { reply } = frame
  const [only] = rows
  const one = of + pageKey(list)
  const last = pages.get(one)
  // Identical rows come from a cache (`drawRows`) that has made sure nothing else affects them, so the whole page may be reused.
  if (last && rows.length === 1 && only === last.rows) return { ...reply, body: last.body, stays: true }
  const body = bytesOf(fillFrame(frame, rows.join(''), draws.beside(at)))
  if (rows.length === 1 && body.length <= longest) keep(pages, one, { rows: only as Html, body })
  return { ...reply, body }
}

function cachesOf(realm: Realm): PageCaches {
  const drawn = known.get(realm) ?? { lists: new Map(), pages: new Map() }
  known.set(realm, drawn)
  return drawn
}

function keep<T>(all: Map<string, T>, key: string, one: T): void {
  // Overwritten in place rather than deleted first: see `Line`.
  all.set(key, one)
  if (all.size <= most) return
  const [oldest] = all.keys()
  all.delete(oldest as string)
}

/** Whether the page depends on no user code and on no other record's label. */
export function isCacheablePage({ resource, listing, asked, summary }: Listed): boolean {
  const { thead, tbody, tfoot, tbodyBefore, tbodyAfter } = resource.table
  const own = thead ?? tbody ?? tfoot ?? tbodyBefore ?? tbodyAfter ?? null
  const related = asked.named.size + asked.found.size > 0 || listing.filters.some(({ field }) => field.kind.relation)
  return own === null && summary === null && resource.indexButtons.length === 0 && !related
}

function drawFrame({ total }: Listed, at: PresenterContext, { page }: PageRenderer): CachedFrame {
  const beside = { below: raw(marks.below), total: total && raw(marks.total), every: raw(marks.every) }
  const reply = page(raw(marks.body), beside, at)
  return { reply: { ...reply, body: null }, around: String(reply.body).split(anyMark) }
}

function fillFrame({ around }: CachedFrame, body: string, { below, total, every }: ChangingParts): string {
  const parts: Record<string, string> = {
    [marks.body]: body,
    [marks.below]: String(below),
    [marks.total]: String(html`${total}`),
    [marks.every]: String(html`${every}`),
  }
  return around.map((text, i) => (i % 2 === 0 ? text : parts[text])).join('')
}

const numbers = new WeakMap<Lens, number>()
let lenses = 0

/** Everything that a list's pages have in common, as a cache key: lens, caller, rights, preferences, URL, problems, kind of total. */
function frameKey({ lens, resource, listing, total }: Listed, at: PresenterContext): string {
  const { realm, identity, path, query, shell } = at
  const can = abilities.map((ability) => may(realm, identity as Identity, resource, ability))
  const number = numbers.get(lens) ?? lenses++
  numbers.set(lens, number)
  const { id, username, name, roles } = identity as Identity
  const caller = [id, username, name, roles, can, trashUrl(at, resource) !== null, shell && shellText(shell)]
  const address = [path, ...[...query].filter(([name]) => name !== 'page' && name !== 'cursor')]
  return JSON.stringify([number, caller, [...listing.filterable.keys()], address, [...listing.problems], total?.exact])
}

/** What else a page depends on besides its rows: its position, its neighbours, the total. */
function pageKey({ listing: { page }, nextCursor, prevCursor, total }: Listed): string {
  return JSON.stringify([page, nextCursor, prevCursor, total])
}

// `back` is left out, since lists do not show it.
function shellText({ menu, lines, preferences, back: _, ...more }: Shell): unknown {
  return [
    menu.map(({ uriKey }) => uriKey),
    lines.map(lineText),
    { ...preferences, columns: [...preferences.columns], views: [...preferences.views] },
    more,
  ]
}

function lineText(line: MenuEntry): unknown {
  if (line.is !== 'entry') return line.is === 'group' ? [line.label, line.entries.map(lineText)] : null
  const { to, label, icon, badge } = line
  return [typeof to === 'string' ? to : 'uriKey' in to ? [to.uriKey] : [[to.uri]], label, icon, badge]
}
