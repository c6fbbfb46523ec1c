import type { Identity } from '../../auth/identity.js'
import { may, mayRecord } from '../../crud/call/allow.js'
import { callbacksGetRecords } from '../../crud/call/lens.js'
import type { Listed } from '../../crud/outcomes/lists.js'
import type { PresenterContext } from '../../face/face.js'
import type { Resource } from '../../resource/resource.js'
import type { MenuItem } from '../components/menu.js'
import { recordUrls } from '../frame/record-urls.js'
import { listsViewed, viewAsItem } from '../frame/view-as-item.js'
import { rowButtons } from './buttons.js'
import { listAnchor } from './list-name.js'

type RowAbility = 'view' | 'update' | 'delete'

/** What a caller may do with a record of a list. */
export interface RowMenu {
  /** The items of its menu: those of the panel and of the resource. */
  readonly items: readonly MenuItem[]
  /** The URL of its page; null if the caller may not view it. */
  readonly href: string | null
  /** The URL of its form; null if the caller may not change it. */
  readonly edit: string | null
}

/** Whether the menus of a list's records, or other code, need whole records. */
export const asksRecords = (resource: Resource, at: PresenterContext): boolean => callbacksGetRecords(resource) || listsViewed(resource, at)

/**
 * Makes the menus of a list's records.
 *
 * @param form the id of the form that their buttons belong to
 */
export function rowMenu(
  list: Pick<Listed, 'resource' | 'preset'>,
  at: PresenterContext,
  form: string,
): (key: string, record: Record<string, unknown>) => RowMenu {
  const { realm, place } = at
  const identity = at.identity as Identity
  const { t } = realm
  const { resource } = list
  const can = (ability: RowAbility) => may(realm, identity, resource, ability)
  const rights = { view: can('view'), update: can('update'), delete: can('delete') }
  const urls = recordUrls(place, resource.uriKey)
  const here = listAnchor(list)
  const from = here === null ? '' : `?${new URLSearchParams({ _back: here })}`
  const [viewText, editText, removeText] = [t('action.view'), t('action.edit'), t('action.delete')]
  const buttonsOf = rowButtons(resource, at, form)
  const viewed = listsViewed(resource, at)
  return (key, record) => {
    const allows = (ability: RowAbility) => rights[ability] && mayRecord(identity, resource, ability, record)
    const items: MenuItem[] = []
    const show = urls.show(key)
    const href = allows('view') ? show : null
    const edit = allows('update') ? urls.form(key) + from : null
    if (href !== null) items.push({ label: viewText, icon: 'view', href })
    if (edit !== null) items.push({ label: editText, icon: 'edit', href: edit })
    const viewAs = viewed ? viewAsItem(resource, record, at, form) : null
    if (viewAs) items.push(viewAs)
    if (allows('delete')) items.push({ label: removeText, icon: 'delete', danger: true, form, action: show, method: 'DELETE' })
    return { items: withButtons(items, buttonsOf(key, record)), href, edit }
  }
}

/** Adds items before the destructive ones. */
export function withButtons(items: readonly MenuItem[], own: readonly MenuItem[]): readonly MenuItem[] {
  if (own.length === 0) return items
  const quiet = [...items, ...own].filter((one) => !one.danger)
  return [...quiet, ...[...own, ...items].filter((one) => one.danger)]
}
