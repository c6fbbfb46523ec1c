import { may } from '../call/allow.js'
import type { PageCall } from '../call/call.js'
import { checkParameters } from '../input/check-parameters.js'
import type { Home } from '../outcomes/pages.js'
import { menuResources } from './menu-resources.js'

/** The default first page: the resources that the caller may list. */
export async function home({ identity, realm, input, wants }: PageCall): Promise<Home> {
  if (wants.strict) checkParameters(input.query, [], realm.t)
  return { is: 'home', resources: menuResources(realm).filter((resource) => may(realm, identity, resource, 'viewAny')) }
}
