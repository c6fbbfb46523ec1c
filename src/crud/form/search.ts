import { DaymarkError, invalid } from '../../base/errors.js'
import { askedFault, parseValue } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { inAddress } from '../../field/zone.js'
import { always, both, type Condition, isAlways } from '../../resource/condition/condition.js'
import { isOfType } from '../../resource/model/value.js'
import { fixedChoices, isSelective, matchesOf } from '../../resource/relation/narrowing.js'
import type { Resource } from '../../resource/resource.js'
import { allow, allowRow, may, scopeOf } from '../call/allow.js'
import type { Call, Realm } from '../call/call.js'
import type { Input } from '../call/input.js'
import { lensOf, rowObject } from '../call/lens.js'
import { checkParameters } from '../input/check-parameters.js'
import { findByKey, keyOf, notFoundError } from '../input/key.js'
import { scalar } from '../input/scalar.js'
import type { Outcome } from '../outcomes/outcome.js'
import { searchChoices } from '../query/search-choices.js'
import { searchFault } from '../query/search-text.js'
import { matchCondition } from '../relation/choice-condition.js'
import { keysIn } from '../relation/relation.js'
import { prefillParameter } from './prefill.js'

/** The query parameter that names the record whose form asks. */
export const itemParameter = '_item'

/**
 * The records that a relation field may refer to, or by the name of the key, those of the resource itself. `?query=` is searched for in
 * their labels. `?value[name]=` says what is in the other fields of the form, and `?_item=` whose form it is.
 */
export async function search(call: Call): Promise<Outcome> {
  const { identity, realm, resource, input } = call
  // The choices are for those who may write or list.
  if (!may(realm, identity, resource, 'create') && !may(realm, identity, resource, 'update')) allow(realm, identity, resource, 'viewAny')
  const { readable } = lensOf(identity, resource, { name: 'record', whole: true })
  const name = input.params?.get('field') ?? ''
  const field = readable.get(name) ?? null
  const target = field ? realm.links.get(field) : undefined
  const { key } = resource.model.key
  if (!target && name !== key) {
    const relations = [...readable.values()].filter((one) => realm.links.has(one)).map((one) => one.key)
    throw new DaymarkError('notFound', realm.t('query.unknownInclude', { name, names: [...new Set([...relations, key])].join(', ') }))
  }
  const query = searchQuery(input, realm)
  const narrowed = await narrowedBy(call, readable, field, target)
  return { is: 'found', resource, field, query, choices: await searchChoices(realm, identity, target ?? resource, query, narrowed) }
}

/**
 * The records that can be chosen, as far as the request says what they depend on.
 *
 * @throws DaymarkError `invalid` for a value that the other field cannot have, `notFound` if there is no such record
 */
async function narrowedBy(
  call: Call,
  readable: ReadonlyMap<string, Bound>,
  field: Bound | null,
  target: Resource | undefined,
): Promise<Condition> {
  const { realm, resource, input, wants } = call
  const { t } = realm
  const others = field && target ? matchesOf(field).flatMap(([, ours]) => readable.get(ours) ?? []) : []
  const names = others.map(({ key }) => prefillParameter(key))
  const isNarrow = field !== null && isSelective(field)
  if (wants.strict) checkParameters(input.query, ['query', ...names, ...(isNarrow ? [itemParameter] : [])], t)
  if (!isNarrow || !target) return always
  const given = new Map(others.filter(({ key }) => input.query.has(prefillParameter(key))).map((other) => [other, valueIn(other)]))
  const key = scalar(input.query, itemParameter, t)
  const record = key === '' ? null : await recordOf({ ...call, input: { ...input, key } })
  const now = (other: Bound) => (given.has(other) ? given.get(other) : record ? (record[other.key] ?? null) : undefined)
  const had = keysIn(field, record?.[field.key]).filter((one) => isOfType(target.model.key, one))
  const fixed = fixedChoices(field, target, realm.timeZone)
  // What the record has already, it may keep.
  const kept: Condition = had.length === 0 ? fixed : { op: 'or', all: [fixed, { op: 'in', column: target.model.key.key, values: had }] }
  return both(isAlways(fixed) ? fixed : kept, matchCondition(field, target, resource.fields, now))

  function valueIn(other: Bound): unknown {
    const name = prefillParameter(other.key)
    const text = scalar(input.query, name, t)
    if (text === '') return null
    const wire = other.kind.read(text, other, inAddress(realm))
    // A page sends what its form says, in the user's time zone and with numbers as they are written there.
    const value = (parseValue(other, wire) ?? parseValue(other, other.kind.read(text, other, realm)))?.value
    if (value === undefined) throw invalid(name, askedFault(other, wire, t))
    return value
  }
}

/** The record whose form asks. */
async function recordOf(call: Call): Promise<Readonly<Record<string, unknown>>> {
  const { realm, identity, resource, store } = call
  allow(realm, identity, resource, 'update')
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const row = await findByKey(store, resource.model, keyOf(call), lens, scopeOf(identity, resource))
  if (!row) throw notFoundError(call)
  allowRow(realm, identity, resource, 'update', lens.columns, row)
  return rowObject(lens.columns, row)
}

/**
 * The query to search for.
 *
 * @throws DaymarkError `invalid` if it is too long or given several times
 */
export function searchQuery({ query }: Input, { t }: Realm): string {
  const text = scalar(query, 'query', t).trim()
  const fault = searchFault(text, t)
  if (fault !== null) throw invalid('query', fault)
  return text
}
