import { sharedPrefix } from '../../auth/preferences.js'
import type { Json } from '../../field/field.js'
import { type Theme, themes } from './theme.js'

/** How high the rows of tables are. */
export const densities = ['compact', 'normal', 'roomy'] as const
/** The row height of tables. */
export type Density = (typeof densities)[number]

/** A list that a user has saved under a name. */
export interface SavedView {
  /** The name. */
  readonly name: string
  /** Whether it was saved for everybody. */
  readonly shared: boolean
  /** The query of its URL. */
  readonly query: string
}

/** The columns that a user has chosen for a list. */
export interface ColumnPreference {
  /** In their order. */
  readonly shown: readonly string[]
  /** Those that were left out, which tells them from what has been declared since; null: all others. */
  readonly hidden: readonly string[] | null
}

/** The preferences of a user for a panel. */
export interface Preferences {
  /** The theme; null: what the browser remembers. */
  readonly theme: Theme | null
  /** The row height of tables. */
  readonly density: Density
  /** The language, in a panel of several; null: what the browser remembers or asks for. */
  readonly language: string | null
  /** The columns of a resource's table, if they are not those of its index page. */
  readonly columns: ReadonlyMap<string, ColumnPreference>
  /** The saved lists by resource, sorted by name: the user's own, and what others have saved for everybody. */
  readonly views: ReadonlyMap<string, readonly SavedView[]>
  /** Whether the panel has lists that are saved for everybody, and if so, whether the user may save them. */
  readonly sharing: 'none' | 'sees' | 'saves'
}

export const defaultPreferences: Preferences = Object.freeze({
  theme: null,
  density: 'normal',
  language: null,
  columns: new Map(),
  views: new Map(),
  sharing: 'none',
})

/** The names under which preferences are stored. */
export const preferenceNames = {
  columns: (resourceUri: string) => `columns:${resourceUri}`,
  view: (resourceUri: string, name: string, shared: boolean) => `${shared ? sharedPrefix : ''}view:${resourceUri}:${name}`,
}

/** Parses stored preferences. Values that are no longer valid are ignored. */
export function parsePreferences(kept: ReadonlyMap<string, Json>, sharing: Preferences['sharing']): Preferences {
  if (kept.size === 0) return sharing === 'none' ? defaultPreferences : { ...defaultPreferences, sharing }
  const columns = new Map<string, ColumnPreference>()
  const views = new Map<string, SavedView[]>()
  for (const [key, value] of kept) {
    const shared = key.startsWith(sharedPrefix)
    if (shared && sharing === 'none') continue
    const own = shared ? key.slice(sharedPrefix.length) : key
    const [, kind, resourceUri = '', name = ''] = /^(columns|view):([^:]+)(?::(.+))?$/s.exec(own) ?? []
    const chosen = kind === 'columns' ? columnsIn(value) : null
    if (chosen) columns.set(resourceUri, chosen)
    if (kind === 'view' && typeof value === 'string')
      views.set(resourceUri, [...(views.get(resourceUri) ?? []), { name, shared, query: value }])
  }
  const language = kept.get('language')
  for (const all of views.values()) all.sort((a, b) => a.name.localeCompare(b.name))
  return {
    theme: themes.find((one) => one === kept.get('theme')) ?? null,
    density: densities.find((one) => one === kept.get('density')) ?? 'normal',
    language: typeof language === 'string' ? language : null,
    columns,
    views,
    sharing,
  }
}

/** Those that were chosen before they had an order are a list of the shown ones. */
function columnsIn(value: Json): ColumnPreference | null {
  if (Array.isArray(value)) return { shown: value.map(String), hidden: null }
  const { shown, hidden } = (value ?? {}) as Readonly<Record<string, Json>>
  return Array.isArray(shown) && Array.isArray(hidden) ? { shown: shown.map(String), hidden: hidden.map(String) } : null
}
