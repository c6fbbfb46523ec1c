import { may } from '../call/allow.js'
import type { PageCall } from '../call/call.js'
import { checkNames } from '../input/check-names.js'
import type { Home } from '../outcomes/pages.js'
import { inMenus } from './in-menus.js'

/** The default first page: the resources that the caller may list. */
export async function home({ identity, realm, input, wants }: PageCall): Promise<Home> {
  if (wants.strict) checkNames(input.query, [], realm.t)
  return { is: 'home', resources: inMenus(realm).filter((resource) => may(realm, identity, resource, 'viewAny')) }
}
