import { randomUUID } from 'node:crypto'
import type { Identity } from '../auth/identity.js'
import { type Html, raw } from '../base/html.js'
import { may } from '../crud/allow.js'
import type { Realm } from '../crud/call.js'
import type { Lens } from '../crud/lens.js'
import type { MenuEntry } from '../crud/menu.js'
import type { Listed } from '../crud/outcome.js'
import { bytesOf } from '../face/bytes.js'
import type { Around, Reply, Shell } from '../face/face.js'
import { abilities } from '../resource/policy.js'

/** A page of a list without its rows. */
interface Known {
  readonly reply: Reply
  readonly before: string
  readonly after: string
  /** The whole page as it was last, and the rows that were in it. */
  last: { readonly rows: Html; readonly body: Buffer } | null
}

const known = new WeakMap<Realm, Map<string, Known>>()
// Of all lists, addresses and callers: a few megabytes. Then all are forgotten.
const most = 100
const longest = 200_000
// Where the rows go; nobody can have sent it.
const mark = randomUUID()

/**
 * Puts the rows of a page into what stands around them: that is drawn once, and again where anything has changed that it is made of. What that is, `madeOf` says:
 * all that a presenter is given but the rows and the request's id.
 *
 * @param draw draws the page with such a body
 */
export function withRows(list: Listed, at: Around, rows: readonly Html[], draw: (body: Html, at: Around) => Reply): Reply {
  const pages = known.get(at.realm) ?? new Map<string, Known>()
  known.set(at.realm, pages)
  const of = madeOf(list, at)
  let page = pages.get(of)
  if (!page) {
    page = drawn(draw(raw(mark), { ...at, requestId: '' }))
    if (pages.size === most) pages.clear()
    pages.set(of, page)
  }
  const [only] = rows
  // The very same drawing is given again by who has made sure that nothing else has a say in it.
  if (page.last && rows.length === 1 && only === page.last.rows) return { ...page.reply, body: page.last.body, stays: true }
  const body = bytesOf(page.before + rows.join('') + page.after)
  page.last = rows.length === 1 && body.length <= longest ? { rows: only as Html, body } : null
  return { ...page.reply, body }
}

/** Whether nothing else has a say in the page: no code of the user's own, and no other record by its label. */
export function isKnowable({ resource, listing, asked }: Listed): boolean {
  const { thead, tbody, tfoot, tbodyBefore, tbodyAfter } = resource.table
  const own = thead ?? tbody ?? tfoot ?? tbodyBefore ?? tbodyAfter ?? null
  const related = asked.named.size + asked.found.size > 0 || listing.filters.some(({ field }) => field.kind.relation)
  return own === null && resource.indexButtons.length === 0 && !related
}

function drawn(reply: Reply): Known {
  const [before = '', after = ''] = String(reply.body).split(mark)
  return { reply: { ...reply, body: null }, before, after, last: null }
}

const numbers = new WeakMap<Lens, number>()
let lenses = 0

/** All that a page is made of, as a text: the lens, the caller with rights and choices, the address, how many there are. */
function madeOf({ lens, resource, rows, total, nextCursor, prevCursor }: Listed, { realm, identity, target, shell }: Around): string {
  const can = abilities.map((ability) => may(realm, identity as Identity, resource, ability))
  const number = numbers.get(lens) ?? lenses++
  numbers.set(lens, number)
  const { id, username, name, roles } = identity as Identity
  const caller = [id, username, name, roles, can, shell && shellText(shell)]
  return JSON.stringify([number, caller, target, rows.length, total, nextCursor, prevCursor])
}

function shellText({ menu, lines, chosen, ...more }: Shell): unknown {
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
