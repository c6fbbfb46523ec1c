import type { Identity } from '../auth/identity.js'
import { DaymarkError, invalid } from '../base/errors.js'
import type { Bound } from '../field/field.js'
import { type KeyValue, parseKey } from '../field/key.js'
import type { Condition } from '../resource/condition.js'
import type { Resource } from '../resource/resource.js'
import { allow, may, scopeOf } from './allow.js'
import type { Call, Input, Realm } from './call.js'
import { lensOf } from './lens.js'
import { searchColumns, searchCondition, searchFault } from './list-query.js'
import type { Choice, Outcome } from './outcome.js'
import { labelOf } from './related.js'

// As many as one reads through before one types another letter.
const most = 20

/** The records that a relation field may lead to: `?query=` is searched in what labels them. */
export async function search(call: Call): Promise<Outcome> {
  const { identity, realm, resource, input } = call
  // Who may neither list nor write has no business with the choices of a form.
  if (!may(realm, identity, resource, 'create') && !may(realm, identity, resource, 'update')) allow(realm, identity, resource, 'viewAny')
  const { readable } = lensOf(identity, resource, { name: 'record', whole: true })
  const field = readable.get(input.params?.get('field') ?? '')
  const target = field && realm.links.get(field)
  if (!field || !target) {
    const names = [...readable.values()].filter((one) => realm.links.has(one)).map((one) => one.key)
    throw new DaymarkError(
      'notFound',
      realm.t('query.unknownInclude', { name: input.params?.get('field') ?? '', names: names.join(', ') || '–' }),
    )
  }
  const query = askedFor(input, realm)
  return { is: 'found', resource, field, query, choices: await choicesOf(realm, identity, target, query) }
}

/**
 * What is to be searched for.
 *
 * @throws DaymarkError `invalid` for more than is searched for
 */
export function askedFor({ query }: Input, { t }: Realm): string {
  const text = (query.get('query')?.at(-1) ?? '').trim()
  const fault = searchFault(text, t)
  if (fault !== null) throw invalid('query', fault)
  return text
}

/** The first records of a resource that match, by label. A caller who may not list them finds none, and so does who searches for too much. */
export async function choicesOf(
  realm: Realm,
  identity: Identity,
  target: Resource,
  query: string,
  limit = most,
): Promise<readonly Choice[]> {
  if (!may(realm, identity, target, 'viewAny') || searchFault(query.trim(), realm.t) !== null) return []
  const { model, column } = target
  const lens = lensOf(identity, target, { name: 'index', whole: false, also: [column.key] })
  const label = lens.readable.has(column.key) ? column.key : model.key.key
  const rows = await realm.storeOf(target).list(model, {
    columns: lens.columns,
    where: scopeOf(identity, target, matching(target, searchable(lens.readable, label, searchColumns(lens)), query)),
    order:
      label === model.key.key
        ? [{ column: label, direction: 'ASC' }]
        : [
            { column: label, direction: 'ASC' },
            { column: model.key.key, direction: 'ASC' },
          ],
    limit,
  })
  return rows.map((row) => ({ key: lens.key(row), label: labelOf(lens, row) }))
}

function searchable(readable: ReadonlyMap<string, Bound>, label: string, declared: readonly string[]): readonly string[] {
  if (declared.length > 0) return declared
  return readable.get(label)?.column.type === 'text' ? [label] : []
}

function matching(resource: Resource, columns: readonly string[], query: string): Condition {
  const words = query.trim().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return { op: 'and', all: [] }
  const { model } = resource
  const key: KeyValue | undefined = parseKey(query.trim(), model.key)
  const byKey: Condition[] = key === undefined ? [] : [{ op: 'eq', column: model.key.key, value: key }]
  return { op: 'or', all: [...byKey, searchCondition(resource, columns, words)] }
}
