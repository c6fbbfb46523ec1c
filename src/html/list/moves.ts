import { attributes, type Html, html } from '../../base/html.js'
import type { Lens } from '../../crud/call/lens.js'
import { mayMove } from '../../crud/list/movable.js'
import type { Listed, Moves } from '../../crud/outcomes/lists.js'
import type { PresenterContext } from '../../face/face.js'
import type { Row } from '../../store/store.js'
import type { ActionTarget } from '../components/action-button.js'
import type { MenuItem } from '../components/menu.js'
import { tokenInput } from '../frame/form-token.js'
import { recordUrls } from '../frame/record-urls.js'
import { listName } from './list-name.js'
import { listUrl } from './list-url.js'

type Of = Pick<Listed, 'resource' | 'preset' | 'moves'>

/** The keys of the records on either side of a row; null: none that is known. */
export interface Neighbours {
  readonly before: string | null
  readonly after: string | null
}

/** The neighbours of a row on its page, or beyond it. */
export function neighboursOf(moves: Moves | null, lens: Lens, rows: readonly Row[], i: number): Neighbours | null {
  const [before, after] = [rows[i - 1], rows[i + 1]]
  return moves && { before: before ? lens.key(before) : moves.before, after: after ? lens.key(after) : moves.after }
}

/** The items of a row's menu that move it; null: the rows of the list are not moved. */
export function moveItems(list: Of, at: PresenterContext): ((key: string, beside: Neighbours) => readonly MenuItem[]) | null {
  const { resource, moves } = list
  if (!moves) return null
  const { t } = at.realm
  const form = moveForm(list)
  const { place } = recordUrls(at.place, resource.uriKey)
  // A place is one in ascending order, whichever way the list is read.
  const [up, down, first, last] =
    moves.direction === 'ASC' ? (['before', 'after', 'first', 'last'] as const) : (['after', 'before', 'last', 'first'] as const)
  return (key, { before, after }) => {
    const target = (name: string, value: string): ActionTarget => ({
      form,
      action: place(key),
      method: 'PUT',
      sends: [name, value],
      script: 'run',
    })
    return [
      before !== null && { label: t('move.up'), icon: 'arrow-up' as const, ...target(up, before) },
      after !== null && { label: t('move.down'), icon: 'arrow-down' as const, ...target(down, after) },
      before !== null && { label: t('move.first'), icon: 'first' as const, ...target('to', first) },
      after !== null && { label: t('move.last'), icon: 'last' as const, ...target('to', last) },
    ].filter((one) => one !== false)
  }
}

/** What a list tells the script that moves its rows. */
export function moveAttributes({ resource, moves }: Of, { place, realm }: PresenterContext): Html | null {
  if (!moves) return null
  const { show } = recordUrls(place, resource.uriKey)
  return attributes({
    'data-moves': show(''),
    'data-at': realm.t('move.at', { at: '{at}', count: '{count}' }),
    'data-descending': moves.direction === 'DESC',
  })
}

/** The form by which the rows of a list are moved, and how that is done by the keyboard. */
export function movesForm(list: Of, at: PresenterContext): Html | null {
  if (!list.moves) return null
  const id = moveForm(list)
  return html`<form id="${id}" method="post">${moveInputs(at)}</form><span id="${id}-how" hidden>${at.realm.t('move.how')}</span>`
}

/** What each form that moves a row sends besides its place. */
export function moveInputs(at: PresenterContext): Html {
  return html`<input type="hidden" name="_method" value="PUT">${tokenInput(at)}`
}

/** The id of the form by which the rows of a list are moved. */
export function moveForm(list: Of): string {
  return `${listName(list)}-move`
}

/** The URL of a list in the order that this user can put its records in; null: there is none, or it is in it. */
export function ownOrderUrl({ resource, moves, preset }: Of, at: PresenterContext): string | null {
  const { reorderable, sortColumn, sortDirection } = resource
  const { identity, realm } = at
  if (!reorderable || moves || identity === null || !mayMove({ realm, identity, resource })) return null
  const isDefault = (preset?.sort ?? null) === null && sortColumn === reorderable.key && sortDirection === 'ASC'
  return listUrl(at, { sort: isDefault ? null : reorderable.key })
}
