import type { Resource } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'

/** The resources that menus and the first page offer unless declared otherwise. A trash is reached from the list of its resource. */
export function menuResources({ resources }: Pick<Realm, 'resources'>): readonly Resource[] {
  return [...resources.values()].filter(({ trashOf }) => trashOf === null)
}
