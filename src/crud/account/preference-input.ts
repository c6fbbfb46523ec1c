import { DaymarkError } from '../../base/errors.js'
import type { PanelCall } from '../call/call.js'
import type { Body } from '../call/input.js'

/** Which preferences to change. Null resets one. */
export interface PreferenceChanges {
  readonly theme?: string | null
  readonly density?: string | null
  readonly language?: string | null
  readonly columns: ReadonlyMap<string, readonly string[] | null>
  /** One of these columns that changes places with the one before or behind it. */
  readonly move?: { readonly key: string; readonly by: -1 | 1 }
  readonly views: readonly AskedView[]
}

/** A view to save; without a query, one to forget. */
export interface AskedView {
  readonly uri: string
  readonly name: string
  readonly query: string | null
  /** Whether it is for everybody. */
  readonly shared: boolean
}

/** The preferences that are one word each. */
export const wordPreferences = ['theme', 'density', 'language'] as const
export type WordPreference = (typeof wordPreferences)[number]
const isWord = (name: string) => (wordPreferences as readonly string[]).includes(name)

const names = [...wordPreferences, 'columns', 'views', 'sharedViews']

/**
 * Reads a change of preferences: `{theme, density, language, columns: {cities: [...]}, views: {cities: {Big: 'sort=-population'}}}` in JSON,
 * and `sharedViews` like `views`; in a form, `theme`, `density`, `language`, `columns[cities]` once per column, with `_up` or `_down` for one
 * of them, and `_resource` with `_view` and `_query`, or with `_forget`, and `_shared` with either.
 *
 * @throws DaymarkError `invalid`, naming what is wrong
 */
export function readPreferenceChanges({ input: { body }, realm: { t } }: PanelCall): PreferenceChanges {
  const errors = new Map<string, readonly string[]>()
  const asked = body.from === 'json' ? fromJson(body) : body.from === 'form' ? fromForm(body) : { columns: new Map(), views: [] }
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  return asked

  function wrong(name: string, text: string): void {
    errors.set(name, [text])
  }

  function fromJson({ fields }: Extract<Body, { from: 'json' }>): PreferenceChanges {
    let requested: PreferenceChanges = { columns: new Map(), views: [] }
    for (const [name, given] of fields) {
      if (isWord(name)) {
        if (given === null || typeof given === 'string') requested = { ...requested, [name]: given }
        else wrong(name, t('field.notText', { label: name }))
      } else if (name === 'columns' || name === 'views' || name === 'sharedViews') {
        if (typeof given !== 'object' || given === null || Array.isArray(given)) wrong(name, t('field.notFormat', { label: name }))
        else if (name === 'columns') requested = { ...requested, columns: new Map(Object.entries(given).flatMap(columns)) }
        else requested = { ...requested, views: [...requested.views, ...Object.entries(given).flatMap((of) => views(name, of))] }
      } else wrong(name, t('field.unknown', { name, names: names.join(', ') }))
    }
    return requested
  }

  function columns([uri, keys]: [string, unknown]): [string, readonly string[] | null][] {
    if (keys === null || (Array.isArray(keys) && keys.every((key) => typeof key === 'string'))) return [[uri, keys]]
    wrong(`columns.${uri}`, t('field.notFormat', { label: 'columns' }))
    return []
  }

  function views(member: 'views' | 'sharedViews', [uri, named]: [string, unknown]): AskedView[] {
    if (typeof named !== 'object' || named === null || Array.isArray(named)) {
      wrong(`${member}.${uri}`, t('field.notFormat', { label: member }))
      return []
    }
    return Object.entries(named).flatMap(([name, query]): AskedView[] => {
      if (query === null || typeof query === 'string') return [{ uri, name, query, shared: member === 'sharedViews' }]
      wrong(`${member}.${uri}`, t('field.notText', { label: name }))
      return []
    })
  }

  function fromForm({ fields, panel }: Extract<Body, { from: 'form' }>): PreferenceChanges {
    const chosen = new Map<string, readonly string[] | null>()
    let requested: PreferenceChanges = { columns: chosen, views: [] }
    for (const [name, given] of fields) {
      const [, uri] = /^columns\[([^\]]+)\]$/.exec(name) ?? []
      const keys = given.filter((key) => key !== '')
      if (isWord(name)) requested = { ...requested, [name]: given.at(-1) || null }
      else if (uri !== undefined) chosen.set(uri, keys.length > 0 ? keys : null)
      else wrong(name, t('field.unknown', { name, names: names.join(', ') }))
    }
    const said = (name: string) => panel.get(name)?.at(-1)
    const [uri, view, forget, up, down] = [said('_resource'), said('_view'), said('_forget'), said('_up'), said('_down')]
    const shared = said('_shared') === '1'
    if (uri !== undefined && forget !== undefined) return { ...requested, views: [{ uri, name: forget, query: null, shared }] }
    if (uri !== undefined && view !== undefined)
      return { ...requested, views: [{ uri, name: view.trim(), query: said('_query') ?? '', shared }] }
    if (up !== undefined) return { ...requested, move: { key: up, by: -1 } }
    if (down !== undefined) return { ...requested, move: { key: down, by: 1 } }
    return requested
  }
}
