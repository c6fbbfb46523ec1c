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

/** What stands around the rows of a list, and around what is below them: the same on each of its pages. */
interface Known {
  readonly reply: Reply
  readonly around: readonly [head: string, between: string, tail: string]
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

/** How a page is drawn: what is below the rows, and the page with both. */
export interface Draws {
  below(at: Around): Html
  page(body: Html, below: Html, at: Around): Reply
}

const known = new WeakMap<Realm, Drawn>()
// Of all lists, addresses and callers: a few megabytes. Then the oldest are forgotten.
const most = 100
const longest = 200_000
// Where the rows go, and what is below them; nobody can have sent these.
const marks = [randomUUID(), randomUUID()] as const
const anyMark = new RegExp(marks.join('|'))

/**
 * Puts the rows of a page into what stands around them: that is kept once any page of the list is asked for again, and drawn anew where anything has changed that it is
 * made of. What that is, `madeOf` says: all that a presenter is given but the rows, what page it is, and the request's id.
 */
export function withRows(list: Listed, asked: Around, rows: readonly Html[], draws: Draws): Reply {
  const at = { ...asked, requestId: '' }
  const { lists, pages } = drawnOf(at.realm)
  const of = madeOf(list, at)
  const before = lists.get(of)
  if (before === undefined) {
    keep(lists, of, null)
    return draws.page(html`${rows}`, draws.below(at), at)
  }
  const frame = before ?? around(draws.page(raw(marks[0]), raw(marks[1]), at))
  if (before === null) keep(lists, of, frame)
  const { reply } = frame
  const [only] = rows
  const one = of + ownOf(list)
  const last = pages.get(one)
  // The very same drawing is given again by who has made sure that nothing else has a say in it.
  if (last && rows.length === 1 && only === last.rows) return { ...reply, body: last.body, stays: true }
  const [head, between, tail] = frame.around
  const body = bytesOf(head + rows.join('') + between + draws.below(at) + tail)
  if (rows.length === 1 && body.length <= longest) keep(pages, one, { rows: only as Html, body })
  return { ...reply, body }
}

function drawnOf(realm: Realm): Drawn {
  const drawn = known.get(realm) ?? { lists: new Map(), pages: new Map() }
  known.set(realm, drawn)
  return drawn
}

function keep<T>(all: Map<string, T>, key: string, one: T): void {
  all.delete(key)
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

function around(reply: Reply): Known {
  const [head = '', between = '', tail = ''] = String(reply.body).split(anyMark)
  return { reply: { ...reply, body: null }, around: [head, between, tail] }
}

const numbers = new WeakMap<Lens, number>()
let lenses = 0

/** All that is the same on each page of a list, as a text: the lens, the caller with rights and choices, the address, what was left aside of it, how many there are. */
function madeOf({ lens, resource, listing, rows, total }: Listed, { realm, identity, path, query, shell }: Around): string {
  const can = abilities.map((ability) => may(realm, identity as Identity, resource, ability))
  const number = numbers.get(lens) ?? lenses++
  numbers.set(lens, number)
  const { id, username, name, roles } = identity as Identity
  const caller = [id, username, name, roles, can, shell && shellText(shell)]
  const address = [path, ...[...query].filter(([name]) => name !== 'page' && name !== 'cursor')]
  return JSON.stringify([number, caller, address, [...listing.problems], rows.length, total])
}

/** What else a page is made of: which one it is, and those beside it. */
function ownOf({ listing: { page }, nextCursor, prevCursor }: Listed): string {
  return JSON.stringify([page, nextCursor, prevCursor])
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
