import type { PresenterContext } from '../../face/face.js'
import { roleLabels } from '../../store/panel/users-resource.js'

/** A role in the words of the resource of users; its name if the panel has none. */
export function roleLabel(role: string, { realm }: PresenterContext): string {
  return roleLabels(realm.resources.values())?.get(role) ?? role
}
