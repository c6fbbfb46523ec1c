import { DaymarkError, invalid } from '../../base/errors.js'
import { type KeyValue, keyText, parseKey } from '../../field/key.js'
import { tellFault } from '../../resource/action/policy.js'
import type { Column } from '../../resource/model/model.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads, Row } from '../../store/store.js'
import { allow, allowRow, scopeOf, unrestricted } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import { inTransaction } from '../call/in-transaction.js'
import type { Lens } from '../call/lens.js'
import { commit } from '../commit/commit.js'
import { keyAtEnd, lockOrder, type MoveNumbers, type MoveTarget, numbersBeside } from '../commit/reorder.js'
import { commitValues } from '../commit/update.js'
import { findByKey, keyOf, notFoundError } from '../input/key.js'
import { mayMove } from '../list/movable.js'
import type { Outcome } from '../outcomes/outcome.js'
import { saved } from './save.js'

/** Puts a record into another place of the order that users give to records: `{before}` or `{after}` another one, or `{to}` an end. */
export async function move(call: Call): Promise<Outcome> {
  const { realm, identity, resource } = call
  allow(realm, identity, resource, 'update')
  if (!resource.reorderable) throw new DaymarkError('notFound', realm.t('page.none'))
  if (!mayMove(call)) throw new DeniedError(realm)
  const place = placeOf(call)
  const key = keyOf(call)
  return saved(call, false, await commit(call, ({ raw, lens }) => moved(inTransaction(call, raw), key, place, lens), false), 'back')
}

async function moved(call: Call, key: KeyValue, place: Place, lens: Lens): Promise<Row> {
  const { realm, identity, resource, store } = call
  const { model } = resource
  const column = resource.reorderable as Column
  const found = (one: KeyValue) => findByKey(store, model, one, lens, scopeOf(identity, resource))
  await lockOrder(store, resource)
  const row = await found(key)
  if (!row) throw notFoundError(call)
  allowRow(realm, identity, resource, 'update', lens.columns, row)
  const beside = await besideOf(store, resource, key, place)
  if (beside && 'name' in place && !(await found(beside.key))) throw invalid(place.name, realm.t('record.none'))
  const placed = beside === null ? { own: null, others: [] } : await numbersBeside(store, resource, key, beside)
  if (placed === null) throw new DaymarkError('conflict', realm.t('move.crowded'))
  const values = (number: number) => ({ [column.key]: number })
  // The version that was asked for is that of the record itself. Whoever may move it need not be allowed to change those near it.
  const nearby: Call = { ...call, identity: unrestricted(identity), input: { ...call.input, ifMatch: null, ifNoneMatch: null } }
  const seen = await seenOf(call, placed)
  for (const [other, number] of placed.others) {
    await commitValues(nearby, other, values(number)).catch((thrown) => {
      throw refusedNearby(thrown, call)
    })
  }
  for (const one of await seenOf(call, placed)) if (!seen.has(one)) throw takenNearby(call)
  return commitValues(call, key, placed.own === null ? {} : values(placed.own))
}

/** Which of the records nearby the mover sees, by key. Where there is no scope, that cannot change: none are looked up. */
async function seenOf({ identity, resource, store }: Call, { others }: Pick<MoveNumbers, 'others'>): Promise<ReadonlySet<string>> {
  const { model, scope } = resource
  if (scope === null || others.length === 0) return new Set()
  const keys = others.map(([key]) => key)
  const rows = await store.findMany(model, keys, [model.key.key], scopeOf(identity, resource))
  return new Set(rows.map(([key]) => keyText(key as KeyValue)))
}

/** Why a record nearby could not be numbered anew is about values that its mover may not see. */
function refusedNearby(thrown: unknown, { realm }: Call): unknown {
  const isRefusal = thrown instanceof DaymarkError && ['invalid', 'forbidden', 'notFound', 'conflict'].includes(thrown.code)
  return isRefusal ? new DaymarkError('conflict', realm.t('move.nearby'), { cause: thrown }) : thrown
}

/** A hook that gives each record what its user has, as their company, would hand over those nearby of somebody else. */
function takenNearby({ realm, identity, resource }: Call): DaymarkError {
  const text = `A move in "${resource.uriKey}" numbers records anew that its user does not see, and beforeSave makes them theirs: give a value of the user to new records alone (before === null)`
  tellFault(identity, new Error(text))
  return new DaymarkError('conflict', realm.t('move.nearby'))
}

/** Where a record is to be: beside another one, or at an end. */
type Place = { readonly name: 'before' | 'after'; readonly key: KeyValue } | { readonly end: 'first' | 'last' }

async function besideOf(reads: Reads, resource: Resource, key: KeyValue, place: Place): Promise<MoveTarget | null> {
  if ('name' in place) return { key: place.key, side: place.name }
  const other = await keyAtEnd(reads, resource, key, place.end)
  return other === null ? null : { key: other, side: place.end === 'first' ? 'before' : 'after' }
}

const names = ['before', 'after', 'to'] as const

/** @throws DaymarkError `invalid` unless exactly one of the names is sent, with a key or an end */
function placeOf(call: Call): Place {
  const { body } = call.input
  const { t } = call.realm
  const given = new Map<string, unknown>()
  const errors = new Map<string, readonly string[]>()
  for (const [name, one] of body.from === 'none' ? [] : body.fields) {
    if ((names as readonly string[]).includes(name)) given.set(name, body.from === 'form' ? (one as readonly string[]).at(-1) : one)
    else errors.set(name, [t('field.unknown', { name, names: names.join(', ') })])
  }
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  const [[name, value] = [], ...more] = given
  if (name === undefined || more.length > 0) throw invalid(more[0]?.[0] ?? 'to', t('move.which', { names: names.join(', ') }))
  if (name !== 'to') return { name: name as 'before' | 'after', key: otherOf(call, name, value) }
  if (value !== 'first' && value !== 'last') throw invalid('to', t('field.notOption', { label: 'to', options: 'first, last' }))
  return { end: value }
}

function otherOf({ resource, realm, input }: Call, name: string, value: unknown): KeyValue {
  const text = typeof value === 'string' || Number.isSafeInteger(value) ? keyText(value as KeyValue) : null
  const key = text === null ? undefined : parseKey(text, resource.model.key)
  if (key === undefined) throw invalid(name, realm.t('record.none'))
  if (text === input.key) throw invalid(name, realm.t('move.itself'))
  return key
}
