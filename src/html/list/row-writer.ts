import type { Identity } from '../../auth/identity.js'
import { type Html, raw } from '../../base/html.js'
import { may } from '../../crud/call/allow.js'
import type { Realm } from '../../crud/call/call.js'
import { isMovable } from '../../crud/list/movable.js'
import type { Listed } from '../../crud/outcomes/lists.js'
import { labelOf } from '../../crud/relation/label.js'
import type { Related } from '../../crud/relation/related.js'
import type { PresenterContext } from '../../face/face.js'
import { perLens } from '../../face/per-lens.js'
import type { Row } from '../../store/store.js'
import type { MenuItem } from '../components/menu.js'
import { row } from '../components/row.js'
import { tokenInput } from '../frame/form-token.js'
import { relatedUrls } from '../frame/record-urls.js'
import { hasRowButtons } from './buttons.js'
import { inPlaceForms, isInPlace } from './edit-in-place.js'
import { changeLabel } from './history-cells.js'
import { isComponent, listAnchor, listName } from './list-name.js'
import { moveForm, moveInputs, moveItems, type Neighbours, neighboursOf } from './moves.js'
import { asksRecords, rowMenu, withButtons } from './row-menu.js'
import { recordOf, rowMaker } from './rows.js'

type Of = Pick<Listed, 'resource' | 'lens' | 'preset' | 'moves'>
/** The ids of the forms for selected rows and for row menus; null if there are none. */
export function rowForms(list: Omit<Of, 'moves'>, at: PresenterContext): { readonly picks: string | null; readonly menus: string | null } {
  const { resource } = list
  const { realm, identity } = at
  const name = listName(list)
  const can = (ability: 'view' | 'update' | 'delete') => identity !== null && may(realm, identity, resource, ability)
  return {
    // Whoever sees a list may export some of its rows.
    picks: isComponent(list) ? null : `${name}-picked`,
    menus: can('view') || can('update') || can('delete') || hasRowButtons(resource, at) ? `${name}-act` : null,
  }
}

/**
 * Makes a function that draws a list's rows for this caller, also when a row is fetched alone.
 *
 * @param many whether there may be too many rows for menus and in-place forms: those become links, and a script fetches full rows
 */
export function rowWriter(
  list: Of,
  at: PresenterContext,
  many = false,
): (values: Row, rowNumber: number, related: Related, beside?: Neighbours | null) => Html {
  const { resource, lens } = list
  const { realm } = at
  const roles = at.identity?.roles ?? []
  const { picks, menus } = rowForms(list, at)
  const { trAttributes } = resource.table
  const name = listName(list)
  const { clickAction } = resource
  const asks = asksRecords(resource, at)
  const maker = rowMaker(realm, lens)
  const relatedUrl = relatedUrls(at, lens)
  const menuOf = rowMenu(list, at, menus ?? '')
  const movesOf = moveItems(list, at)
  const how = `${moveForm(list)}-how`
  const inPlace = inPlaceForms(resource, at, name, many)
  // Browsers scan all buttons of a form whenever one is added. With all rows on one page, each button gets a form of its own.
  const token = resource.usePagination ? null : tokenInput(at)
  const alone = (item: MenuItem): MenuItem =>
    token === null || !('form' in item) ? item : { ...item, token: item.sends ? moveInputs(at) : token }
  return (values, rowNumber, related, beside = null) => {
    const key = lens.key(values)
    const record = asks ? recordOf(lens, values) : {}
    const label = changeLabel(realm, lens, values, related) ?? labelOf(lens, values)
    const { items, href, edit } = menuOf(key, record)
    const moved = edit !== null && movesOf !== null && isMovable({ realm, resource }, lens, values) ? movesOf : null
    return row(
      {
        id: `${name}-row-${rowNumber}`,
        key,
        label,
        cells: maker.cells(values, {
          related,
          relatedUrl,
          href,
          files: href,
          rowNumber,
          record,
          inWords: false,
          roles,
          save: edit === null ? null : (inPlace?.(key, label, edit) ?? null),
        }),
        grip: movesOf === null ? null : moved === null ? '' : how,
        picks,
        menu:
          menus === null
            ? null
            : ((many ? (href ?? edit) : null) ?? withButtons(items, beside && moved ? moved(key, beside) : []).map(alone)),
        href: clickAction === 'DETAIL' ? href : clickAction === 'EDIT' ? edit : null,
        attributes: trAttributes && ((own) => trAttributes(record, rowNumber, own)),
      },
      realm.t,
    )
  }
}

/** A class: V8 pretenures literals once most from their site have survived, and then each keeps what it holds until a full GC. */
class Drawn {
  constructor(
    readonly realm: Realm,
    readonly rights: string,
    readonly html: Html,
  ) {}
}

const pages = perLens<readonly Row[], Drawn>()
const drawn = perLens<Row, Drawn>()

/**
 * Draws the rows of a page, from a cache if possible. If the store returns the same frozen page again, its drawing is reused for callers of
 * the same rights, language and time zone, unless user code or other records affect it. If it returns some of the same frozen rows, those
 * at the same position are reused.
 */
export function drawRows(list: Listed, at: PresenterContext): readonly Html[] {
  const { resource, lens, rows, related, moves } = list
  const { tbodyBefore, tbodyAfter } = resource.table
  const own = asksRecords(resource, at) || lens.computed.size > 0 || tbodyBefore || tbodyAfter || hasRowButtons(resource, at) || moves
  // A form in a row holds its page's CSRF token: those of in-place fields, and without pagination those of buttons.
  const forms = !resource.usePagination || lens.shown.some((one) => 'field' in one && isInPlace(one.field))
  const page = Object.isFrozen(rows)
  if (own || forms || related.size > 0 || !(page || rows.every(Object.isFrozen))) {
    const write = rowWriter(list, at)
    return rows.map((row, i) => write(row, i, related, neighboursOf(moves, lens, rows, i)))
  }
  let writer: ReturnType<typeof rowWriter> | undefined
  const write = (row: Row, i: number) => {
    // Others will see this drawing, so it must not depend on this request.
    writer ??= rowWriter(list, { ...at, path: '', target: '', query: new Map(), requestId: '', shell: null })
    return writer(row, i, related)
  }
  const { realm, identity } = at
  const abilities = ['view', 'update', 'delete', 'massDelete'] as const
  const can = abilities.map((ability) => may(realm, identity as Identity, resource, ability))
  const rights = [listName(list), isComponent(list), listAnchor(list), ...can, ...(identity as Identity).roles].join()
  const ofPages = pages(lens)
  const ofRows = drawn(lens)
  const rowOf = (row: Row, i: number) => found(ofRows, row, realm, `${i} ${rights}`)
  if (!page) return rows.map((row, i) => rowOf(row, i) ?? keep(ofRows, row, new Drawn(realm, `${i} ${rights}`, flat(write(row, i)))))
  const all = () => raw(rows.map((row, i) => rowOf(row, i) ?? write(row, i)).join(''))
  return [found(ofPages, rows, realm, rights) ?? keep(ofPages, rows, new Drawn(realm, rights, all()))]
}

function found<K extends object>(ofLens: WeakMap<K, Drawn>, key: K, realm: Realm, rights: string): Html | null {
  const last = ofLens.get(key)
  return last?.realm === realm && last.rights === rights ? last.html : null
}

function keep<K extends object>(ofLens: WeakMap<K, Drawn>, key: K, one: Drawn): Html {
  ofLens.set(key, one)
  return one.html
}

/** Copies a string that V8 would keep as a rope of a hundred pieces: it is copied into page after page. */
const flat = (html: Html) => raw(Buffer.from(String(html)).toString())
