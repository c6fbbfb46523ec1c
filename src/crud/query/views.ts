import { type ListView, tableView } from '../../resource/pages/view.js'
import type { Lens } from '../call/lens.js'

/** The views of a list that the caller may have: those of fields that they may read. */
export function viewsFor({ resource, readable }: Pick<Lens, 'resource' | 'readable'>): readonly ListView[] {
  return resource.views.filter(({ field }) => readable.has(field))
}

/** The view of this name; null: the table. Without a name, it is the one that the list begins with. */
export function viewNamed(views: readonly ListView[], name: string): ListView | null {
  return (name === '' ? views.find(({ initial }) => initial) : views.find(({ uri }) => uri === name)) ?? null
}

/** Whether a name is that of a view, or of the table. */
export function isViewName(views: readonly ListView[], name: string): boolean {
  return name === tableView || views.some(({ uri }) => uri === name)
}
