import { safeUrl } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { MenuEntry as Line } from '../../crud/pages/menu.js'
import type { PresenterContext } from '../../face/face.js'
import type { Resource } from '../../resource/resource.js'
import { trashIn } from '../../resource/trash-resource.js'
import { url } from '../../route/url.js'
import type { MenuEntry, MenuGroup } from '../components/sidebar.js'

/**
 * The menu as the sidebar draws it: ungrouped lines, and named groups.
 *
 * @param of the resource the page belongs to, if its path does not say so
 */
export function menuGroups(lines: readonly Line[], at: PresenterContext, of?: Resource): readonly MenuGroup[] {
  const shown = new Set(entriesIn(lines).map(({ to }) => to))
  const entry = (one: Entry) => entryOf(one, at, of, shown)
  const groups: { label: string | null; divided: boolean; entries: MenuEntry[] }[] = []
  for (const line of lines) {
    if (line.is === 'divider') groups.push({ label: null, divided: true, entries: [] })
    else if (line.is === 'group') groups.push({ label: line.label, divided: false, entries: entriesIn(line.entries).map(entry) })
    // Without a line, what comes after a group would seem to belong to it.
    else if (groups.at(-1)?.label !== null) groups.push({ label: null, divided: groups.length > 0, entries: [entry(line)] })
    else groups.at(-1)?.entries.push(entry(line))
  }
  return groups.filter(({ entries }) => entries.length > 0)
}

type Entry = Extract<Line, { is: 'entry' }>

/** Groups are one level deep: the entries of a nested group go into the outer one. */
export function entriesIn(lines: readonly Line[]): readonly Entry[] {
  return lines.flatMap((line) => (line.is === 'group' ? entriesIn(line.entries) : line.is === 'entry' ? [line] : []))
}

function entryOf({ to, label, icon, badge: given }: Entry, at: PresenterContext, of: Resource | undefined, shown: Shown): MenuEntry {
  const { href, current } = target(to, at, of, shown)
  const badge = typeof given === 'number' ? numberText(at.realm.locale, given) : given
  return { label, icon, badge, href, current }
}

type Shown = ReadonlySet<Entry['to']>

function target(
  to: Entry['to'],
  { place, path, realm }: PresenterContext,
  of: Resource | undefined,
  shown: Shown,
): Pick<MenuEntry, 'href' | 'current'> {
  // As to a plugin's page, which no other line leads to.
  if (typeof to === 'string') return { href: safeUrl(to), current: path === to ? 'page' : null }
  if ('components' in to) {
    const href = to === realm.home ? url(place, 'index') : url(place, 'page', { pageUri: to.uri })
    return { href, current: path === href ? 'page' : null }
  }
  const href = url(place, 'crud.index', { resourceUri: to.uriKey })
  // All pages of a resource share the path before the index's final segment.
  const isWithin = (one: Resource, list: string) => of === one || path.startsWith(list.replace(/crud$/, ''))
  const trash = trashIn(realm.resources, to)
  const inTrash = () => trash !== null && !shown.has(trash) && isWithin(trash, url(place, 'crud.index', { resourceUri: trash.uriKey }))
  const within = isWithin(to, href) || inTrash()
  return { href, current: path === href ? 'page' : within ? 'true' : null }
}
