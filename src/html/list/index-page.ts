import { randomUUID } from 'node:crypto'
import { block, type Html, html, raw } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { Listed, Streamed } from '../../crud/outcomes/lists.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import type { Row } from '../../store/store.js'
import { pager } from '../components/pager.js'
import { groupEnd, groupSize } from '../components/table.js'
import { type AnyList, hasView } from './any-list.js'
import { emptyState } from './empty-state.js'
import { everyOf, type ListParts, listPage } from './list-page.js'
import { neighboursOf } from './moves.js'
import { type ChangingParts, cachedPage, isCacheablePage } from './page-cache.js'
import { pagerOf, totalText } from './paging.js'
import { drawRows, rowWriter } from './row-writer.js'
import { bodyOf } from './table-parts.js'

/** How to draw a list: as the whole page, or the table alone. */
type Draw<T> = (list: AnyList, at: PresenterContext, parts: ListParts) => T

/** The index page of a resource. */
export function indexPage(outcome: Listed, at: PresenterContext): Reply {
  if (hasView(outcome) || !isCacheablePage(outcome)) return drawListed(outcome, at, listPage)
  return cachedPage(outcome, at, drawRows(outcome, at), {
    beside: (at) => besideRows(outcome, at),
    page: (body, beside, at) => listPage(outcome, at, { rows: outcome.rows, body, ...beside }),
  })
}

/** A list with all its rows read. */
export function drawListed<T>(outcome: Listed, at: PresenterContext, draw: Draw<T>): T {
  const { rows } = outcome
  if (hasView(outcome)) return draw(outcome, at, { rows, body: html``, ...besideDrawn(outcome, at) })
  const body = bodyOf(outcome, at, rows, () => drawRows(outcome, at), true)
  return draw(outcome, at, { rows, body, ...besideRows(outcome, at) })
}

/** A month without records says so itself. */
function besideDrawn(outcome: Listed, at: PresenterContext): ChangingParts {
  const { rows, total, drawn } = outcome
  const isEmpty = drawn?.is === 'board' && rows.length === 0
  return { below: html`${isEmpty && emptyState(outcome, at)}`, total: total && totalText(total, at), every: null }
}

function besideRows(outcome: Listed, at: PresenterContext): ChangingParts {
  const { rows, total } = outcome
  const foot = pagerOf(outcome, at)
  return {
    below: html`${rows.length === 0 && emptyState(outcome, at)}${foot && pager(foot, at.realm.t)}`,
    total: total && totalText(total, at),
    every: everyOf(outcome, at),
  }
}

/** A resource's index page without pagination: sent while it is read. */
export function streamedPage(outcome: Streamed, at: PresenterContext, draw: Draw<Reply> = listPage): Reply {
  // Placeholders for what is read later. They are random, so that no request can contain them.
  const [rows, below] = [randomUUID(), randomUUID()]
  const parts: ListParts = { rows: [], body: raw(rows), below: raw(below), total: null, every: null }
  const reply = draw({ ...outcome, total: null, related: new Map(), drawn: null }, at, parts)
  return { ...reply, body: stream(outcome, at, String(reply.body).split(new RegExp(`${rows}|${below}`))) }
}

async function* stream(
  outcome: Streamed,
  at: PresenterContext,
  [head = '', middle = '', tail = '']: readonly string[],
): AsyncGenerator<string> {
  // Asynchronous lists fetch a row's menu on demand.
  const { resource, preset } = outcome
  const write = rowWriter(outcome, at, preset ? preset.async : resource.isAsync)
  let count = 0
  yield head
  const { moves, lens } = outcome
  const keyOf = (row: Row | null, end: string | null) => (row ? lens.key(row) : end)
  for await (const { rows, related, before, after } of moves ? besideOthers(outcome.chunks) : alone(outcome.chunks)) {
    const from = count
    count += rows.length
    const list = { ...outcome, total: null, related, drawn: null }
    const beside = moves && { ...moves, before: keyOf(before, moves.before), after: keyOf(after, moves.after) }
    const drawn = () => rows.map((row, i) => inGroup(from + i, write(row, from + i, related, neighboursOf(beside, lens, rows, i))))
    yield String(bodyOf(list, at, rows, drawn, from === 0))
  }
  yield middle
  yield String(count === 0 ? emptyState({ ...outcome, total: null, related: new Map(), drawn: null }, at) : counted(count, at))
  yield tail
}

type Chunk = Streamed['chunks'] extends AsyncIterable<infer C> ? C : never
/** Rows, and those on either side of them. */
type Placed = Chunk & { readonly before: Row | null; readonly after: Row | null }

async function* alone(chunks: Streamed['chunks']): AsyncGenerator<Placed> {
  for await (const one of chunks) yield { ...one, before: null, after: null }
}

/** Holds rows back until those after them are there. */
async function* besideOthers(chunks: Streamed['chunks']): AsyncGenerator<Placed> {
  let held: Chunk | null = null
  let before: Row | null = null
  for await (const one of chunks) {
    if (held) {
      yield { ...held, before, after: one.rows[0] ?? null }
      before = held.rows.at(-1) ?? before
    }
    held = one
  }
  if (held) yield { ...held, before, after: null }
}

/** A row, preceded by a group's end if it begins one. */
function inGroup(number: number, row: Html): Html {
  return number > 0 && number % groupSize === 0 ? html`${groupEnd}${row}` : row
}

function counted(count: number, { realm: { t, locale } }: PresenterContext): Html {
  return block`
    <div class="pager"><span>${count === 1 ? t('list.countOne') : t('list.count', { count: numberText(locale, count) })}</span></div>
  `
}
