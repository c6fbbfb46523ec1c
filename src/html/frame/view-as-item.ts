import type { Identity } from '../../auth/identity.js'
import { mayViewAs } from '../../auth/view-as.js'
import type { PresenterContext } from '../../face/face.js'
import type { Resource } from '../../resource/resource.js'
import { url } from '../../route/url.js'
import type { MenuItem } from '../components/menu.js'

/** Whether the menus of a resource's records may offer to look at the panel as the users whom they stand for. */
export const listsViewed = ({ model }: Resource, { realm: { auth } }: PresenterContext): boolean =>
  auth.services.viewAs !== null && auth.services.users.of(model.table, {}) !== null

/**
 * The item that looks at the panel as the user whom a record stands for; null: it stands for none, or the caller may not.
 *
 * @param record the record with every column
 * @param form the id of the form that its button belongs to
 */
export function viewAsItem(
  resource: Resource,
  record: Readonly<Record<string, unknown>>,
  at: PresenterContext,
  form: string,
): MenuItem | null {
  const { realm, identity, place } = at
  const { services } = realm.auth
  const user = services.viewAs && services.users.of(resource.model.table, record)
  if (!user || !mayViewAs(services, identity as Identity, user)) return null
  const { id, name } = user.identity
  return { label: realm.t('viewAs.begin', { name }), drawn: 'user-circle', form, action: url(place, 'view-as', { id }), method: 'PUT' }
}
