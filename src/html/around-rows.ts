import { randomUUID } from 'node:crypto'
import type { Identity } from '../auth/identity.js'
import { type Html, html, raw } from '../base/html.js'
import { may } from '../crud/allow.js'
import type { Realm } from '../crud/call.js'
import type { Lens } from '../crud/lens.js'
import type { MenuEntry } from '../crud/menu.js'
import type { Listed } from '../crud/outcome.js'
import { bytesOf } from '../face/bytes.js'
import type { Around, Reply, Shell } from '../face/face.js'
import { abilities } from '../resource/policy.js'
import type { ListParts } from './list-page.js'

/** What stands around the rows of a list, and around what is beside them: the same on each of its pages. */
interface Known {
  readonly reply: Reply
  /** Texts, and between each two of them the mark of what goes there. */
  readonly around: readonly string[]
}

/** A whole page as it was last, and the rows that were in it. */
interface Page {
  readonly rows: Html
  readonly body: Buffer
}

/** By what they are made of. */
interface Drawn {
  /** Null: it was asked for once, and not kept yet. */
  readonly lists: Map<string, Known | null>
  readonly pages: Map<string, Page>
}

/** What is another one with each page, or each record that comes and goes. */
export type BesideRows = Omit<ListParts, 'rows' | 'body'>

/** How a page is drawn: what is beside the rows, and the page with both. */
export interface Draws {
  beside(at: Around): BesideRows
  page(body: Html, beside: BesideRows, at: Around): Reply
}

const known = new WeakMap<Realm, Drawn>()
// Of all lists, addresses and callers: a few megabytes. Then the oldest are forgotten.
const most = 100
const longest = 200_000
// Where the rows go, and what is beside them; nobody can have sent these.
const marks = { body: randomUUID(), below: randomUUID(), total: randomUUID(), every: randomUUID() }
const anyMark = new RegExp(`(${Object.values(marks).join('|')})`)

/**
 * Puts the rows of a page into what stands around them: that is kept once any page of the list is asked for again, and drawn anew where anything has changed that it is
 * made of. What that is, `madeOf` says: all that a presenter is given but the rows, how many there are, what page it is, and the request's id.
 */
export function withRows(list: Listed, asked: Around, rows: readonly Html[], draws: Draws): Reply {
  const at = { ...asked, requestId: '' }
  const { lists, pages } = drawnOf(at.realm)
  const of = madeOf(list, at)
  const before = lists.get(of)
  if (before === undefined) {
    keep(lists, of, null)
    return draws.page(html`${rows}`, draws.beside(at), at)
  }
  const frame = before ?? around(list, at, draws)
  if (before === null) keep(lists, of, frame)
  const { reply } = frame
  const [only] = rows
  const one = of + ownOf(list)
  const last = pages.get(one)
  // The very same drawing is given again by who has made sure that nothing else has a say in it.
  if (last && rows.length === 1 && only === last.rows) return { ...reply, body: last.body, stays: true }
  const body = bytesOf(filled(frame, rows.join(''), draws.beside(at)))
  if (rows.length === 1 && body.length <= longest) keep(pages, one, { rows: only as Html, body })
  return { ...reply, body }
}

function drawnOf(realm: Realm): Drawn {
  const drawn = known.get(realm) ?? { lists: new Map(), pages: new Map() }
  known.set(realm, drawn)
  return drawn
}

function keep<T>(all: Map<string, T>, key: string, one: T): void {
  // In the place of the one before, which is not taken out first: see `Line`.
  all.set(key, one)
  if (all.size <= most) return
  const [oldest] = all.keys()
  all.delete(oldest as string)
}

/** Whether nothing else has a say in the page: no code of the user's own, and no other record by its label. */
export function isKnowable({ resource, listing, asked }: Listed): boolean {
  const { thead, tbody, tfoot, tbodyBefore, tbodyAfter } = resource.table
  const own = thead ?? tbody ?? tfoot ?? tbodyBefore ?? tbodyAfter ?? null
  const related = asked.named.size + asked.found.size > 0 || listing.filters.some(({ field }) => field.kind.relation)
  return own === null && resource.indexButtons.length === 0 && !related
}

function around({ total }: Listed, at: Around, { page }: Draws): Known {
  const beside = { below: raw(marks.below), total: total && raw(marks.total), every: raw(marks.every) }
  const reply = page(raw(marks.body), beside, at)
  return { reply: { ...reply, body: null }, around: String(reply.body).split(anyMark) }
}

function filled({ around }: Known, body: string, { below, total, every }: BesideRows): string {
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

/** All that is the same on each page of a list, as a text: the lens, the caller with rights and choices, the address, what was left aside of it, whether it is counted. */
function madeOf({ lens, resource, listing, total }: Listed, { realm, identity, path, query, shell }: Around): string {
  const can = abilities.map((ability) => may(realm, identity as Identity, resource, ability))
  const number = numbers.get(lens) ?? lenses++
  numbers.set(lens, number)
  const { id, username, name, roles } = identity as Identity
  const caller = [id, username, name, roles, can, shell && shellText(shell)]
  const address = [path, ...[...query].filter(([name]) => name !== 'page' && name !== 'cursor')]
  return JSON.stringify([number, caller, address, [...listing.problems], total?.exact])
}

/** What else a page is made of besides its rows: which one it is, those beside it, how many there are. */
function ownOf({ listing: { page }, nextCursor, prevCursor, total }: Listed): string {
  return JSON.stringify([page, nextCursor, prevCursor, total])
}

// Where the caller has come from is said by no list.
function shellText({ menu, lines, chosen, back: _, ...more }: Shell): unknown {
  return [
    menu.map(({ uriKey }) => uriKey),
    lines.map(lineText),
    { ...chosen, columns: [...chosen.columns], views: [...chosen.views] },
    more,
  ]
}

function lineText(line: MenuEntry): unknown {
  if (line.is !== 'entry') return line.is === 'group' ? [line.label, line.entries.map(lineText)] : null
  const { to, label, icon, badge } = line
  return [typeof to === 'string' ? to : 'uriKey' in to ? [to.uriKey] : [[to.uri]], label, icon, badge]
}
