import { DaymarkError, invalid } from '../../base/errors.js'
import type { Json } from '../../field/field.js'
import type { Resource } from '../../resource/resource.js'
import { may } from '../call/allow.js'
import type { PanelCall } from '../call/call.js'
import { densities, nameOf, readChosen } from '../call/chosen.js'
import { lensOf } from '../call/lens.js'
import { type Theme, themes } from '../call/theme.js'
import { choosableColumns } from '../list/columns.js'
import type { Preferred } from '../outcomes/account.js'
import { listQuery } from '../query/list-query.js'
import { listText } from '../query/list-text.js'
import { type Asked, askedPreferences, type Word, words } from './preference-input.js'

/** The preferences of the caller. */
export async function preferences({ chosen }: PanelCall): Promise<Preferred> {
  return { is: 'preferred', chosen, theme: null, saved: null, changed: false }
}

/** Changes the preferences that are sent; null resets one. */
export async function setPreferences(call: PanelCall): Promise<Preferred> {
  const { realm, identity } = call
  const store = realm.auth.services.preferences
  const asked = askedPreferences(call)
  const changes = new Map<string, Json>()
  for (const name of words) {
    const value = asked[name]
    if (value !== undefined) changes.set(name, value === null ? null : oneOf(call, name, value))
  }
  for (const [uri, keys] of asked.columns) changes.set(nameOf.columns(uri), keys === null ? null : columnsOf(call, uri, keys, asked.move))
  let saved: Preferred['saved'] = null
  for (const [uri, name, query] of asked.views) {
    const resource = resourceOf(call, `views.${uri}`, uri)
    const text = query === null ? null : viewOf(call, resource, name, query)
    changes.set(nameOf.view(uri, name), text)
    saved = text === null ? null : { resource, query: text }
  }
  checkMost(call, asked)
  await store.change(identity.id, changes)
  const theme = (changes.get('theme') ?? null) as Theme | null
  const language = changes.get('language') as string | null | undefined
  const chosen = readChosen(await store.of(identity.id))
  return { is: 'preferred', chosen, theme, ...(language !== undefined && { language }), saved, changed: true }
}

function oneOf({ realm }: PanelCall, name: Word, value: string): string {
  const options = { theme: themes, density: densities, language: realm.languageChoices }[name] as readonly string[]
  if (options.includes(value)) return value
  throw invalid(name, realm.t('field.notOption', { label: name, options: options.join(', ') || '–' }))
}

function columnsOf(call: PanelCall, uri: string, keys: readonly string[], move: Asked['move']): Json {
  const name = `columns.${uri}`
  const all = choosableColumns(call.realm, call.identity, resourceOf(call, name, uri))
  const names = all.map(({ key }) => key)
  const wrong = keys.find((key) => !names.includes(key))
  if (wrong !== undefined) throw invalid(name, call.realm.t('query.unknownField', { name: wrong, names: names.join(', ') || '–' }))
  const still = all.flatMap(({ key, moves }) => (!moves && keys.includes(key) ? [key] : []))
  const moved = [...new Set(keys)].filter((key) => !still.includes(key))
  const at = moved.indexOf(move?.key ?? '')
  const other = moved[at + (move?.by ?? 0)]
  if (move && at >= 0 && other !== undefined)
    moved.splice(Math.min(at, at + move.by), 2, ...(move.by < 0 ? [move.key, other] : [other, move.key]))
  return { shown: [...still, ...moved], hidden: names.filter((key) => !keys.includes(key)) }
}

const longestName = 60
// The longest query for which a URL has room, besides its other parts.
const longestQuery = 8000

/** Normalizes a saved list's query: what says which rows and columns it has and in which order. */
function viewOf({ realm, identity }: PanelCall, resource: Resource, name: string, query: string): string {
  const field = `views.${resource.uriKey}`
  if (name.trim() === '' || [...name].length > longestName) throw invalid(field, realm.t('views.badName', { max: longestName }))
  const text = listText(new URLSearchParams(query))
  if (Math.max(query.length, text.length) > longestQuery) throw invalid(field, realm.t('views.tooLong', { max: longestQuery }))
  const named = new Map<string, string[]>()
  for (const [key, value] of new URLSearchParams(text)) named.set(key, [...(named.get(key) ?? []), value])
  try {
    listQuery(realm, identity, lensOf(identity, resource, { name: 'index', whole: false }), named, true)
  } catch (thrown) {
    throw thrown instanceof DaymarkError ? invalid(field, thrown.message) : thrown
  }
  return text
}

// A menu with more entries would be of no use.
const mostViews = 50

function checkMost({ chosen, realm }: PanelCall, { views }: Asked): void {
  for (const uri of new Set(views.map(([one]) => one))) {
    const names = new Set(chosen.views.get(uri)?.map(({ name }) => name))
    for (const [of, name, query] of views) if (of === uri) query === null ? names.delete(name) : names.add(name)
    if (names.size > mostViews) throw invalid(`views.${uri}`, realm.t('views.tooMany', { max: mostViews }))
  }
}

/** A resource that the caller may list. A forbidden one counts as unknown. */
function resourceOf({ realm, identity }: PanelCall, name: string, uri: string): Resource {
  const resource = realm.resources.get(uri)
  if (!resource || !may(realm, identity, resource, 'viewAny')) throw invalid(name, realm.t('resource.none'))
  return resource
}
