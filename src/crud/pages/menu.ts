import type { Identity } from '../../auth/identity.js'
import type { IconName } from '../../base/icon-paths.js'
import { permits } from '../../resource/action/policy.js'
import type { Figure } from '../../resource/pages/figure.js'
import type { MenuFacts, MenuLine } from '../../resource/pages/menu.js'
import type { Page } from '../../resource/pages/own-page.js'
import type { Resource } from '../../resource/resource.js'
import { may, scopeOf } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import { resourceNamed } from '../call/resource-named.js'
import { menuResources } from './menu-resources.js'
import { mayPage } from './own-page.js'
import { readFigure } from './read-figure.js'

/** A menu entry, as the caller sees it. */
export type MenuEntry =
  | { readonly is: 'divider' }
  | { readonly is: 'group'; readonly label: string; readonly entries: readonly MenuEntry[] }
  | {
      readonly is: 'entry'
      readonly to: Resource | Page | string
      readonly label: string
      readonly icon: IconName | null
      readonly badge: string | number | null
    }

/** The caller's menu, with only what they may see. If none is declared: the first page, the resources, the pages. */
export function menuOf(realm: Realm, identity: Identity): Promise<readonly MenuEntry[]> {
  return entriesOf(realm, identity, [...(realm.menu ?? defaultMenu(realm)), ...realm.moreMenu])
}

function defaultMenu(realm: Realm): readonly MenuLine[] {
  const { pages, home } = realm
  const others = [...pages.values()].filter((page) => page !== home && page.menu)
  return [...(home?.menu ? [home] : []), ...menuResources(realm), ...others]
}

async function entriesOf(realm: Realm, identity: Identity, lines: readonly MenuLine[]): Promise<readonly MenuEntry[]> {
  const all = await Promise.all(lines.map((line) => entryOf(realm, identity, line)))
  return divided(all.filter((one) => one !== null))
}

/** Drops dividers at the start, at the end, and directly after another. */
function divided(all: readonly MenuEntry[]): readonly MenuEntry[] {
  const last = all.findLastIndex(({ is }) => is !== 'divider')
  return all.slice(0, last + 1).filter((one, i) => one.is !== 'divider' || (i > 0 && all[i - 1]?.is !== 'divider'))
}

async function entryOf(realm: Realm, identity: Identity, line: MenuLine): Promise<MenuEntry | null> {
  if (line === 'divider') return { is: 'divider' }
  if ('components' in line) return made(realm, identity, line, {})
  if ('uriKey' in line) return made(realm, identity, resourceNamed(realm.resources, line), {})
  if (line.can !== undefined && !permits(line.can, identity)) return null
  if ('group' in line) {
    const entries = await entriesOf(realm, identity, line.items)
    return entries.length > 0 ? { is: 'group', label: line.group, entries } : null
  }
  if ('page' in line) return made(realm, identity, line.page, line)
  if ('resource' in line) return made(realm, identity, resourceNamed(realm.resources, line.resource), line)
  return made(realm, identity, line.href, line)
}

async function made(realm: Realm, identity: Identity, to: Resource | Page | string, facts: MenuFacts): Promise<MenuEntry | null> {
  const shown =
    typeof to === 'string' ||
    ('components' in to ? mayPage({ realm, identity }, to, { resource: null }) : may(realm, identity, to, 'viewAny'))
  if (!shown) return null
  const label = facts.label ?? (typeof to === 'string' ? to : to.title)
  const icon = facts.icon ?? (typeof to === 'string' ? null : to.icon)
  return { is: 'entry', to, label, icon, badge: await badgeOf(realm, identity, facts.badge) }
}

interface Known {
  readonly until: number
  readonly value: Promise<string | number | null>
}

// Every page has the menu, so a badge is counted at most twice a minute for each set of records that a user may see.
const fresh = 30_000
const most = 1000
const badges = new WeakMap<Realm, Map<string, Known>>()
const numbers = new WeakMap<object, number>()
let next = 0

function numberOf(one: object): number {
  const known = numbers.get(one) ?? next++
  numbers.set(one, known)
  return known
}

async function badgeOf(realm: Realm, identity: Identity, badge: string | Figure | undefined): Promise<string | number | null> {
  if (badge === undefined || typeof badge === 'string') return badge ?? null
  const resource = resourceNamed(realm.resources, badge.resource)
  if (!may(realm, identity, resource, 'viewAny')) return null
  const known = badges.get(realm) ?? new Map<string, Known>()
  badges.set(realm, known)
  const key = `${numberOf(badge)} ${JSON.stringify(identity.roles)} ${scopeText(identity, resource)}`
  const last = known.get(key)
  if (last && last.until > Date.now()) return last.value
  if (known.size >= most) known.clear()
  // A failed count must not break the page.
  const value = readFigure({ realm, identity }, badge).then(
    (read) => (typeof read?.value === 'number' || typeof read?.value === 'string' ? read.value : null),
    () => null,
  )
  known.set(key, { until: Date.now() + fresh, value })
  return value
}

function scopeText(identity: Identity, resource: Resource): string {
  return JSON.stringify(scopeOf(identity, resource), (name, value: unknown) =>
    // Another table whose values are compared with: it is no data.
    name === 'of' && typeof value === 'object' && value !== null && 'table' in value
      ? numberOf(value)
      : typeof value === 'bigint'
        ? `${value}n`
        : value,
  )
}
