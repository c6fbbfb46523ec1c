import type { Bound } from '../../field/field.js'
import { type KeyValue, keyText, parseKey } from '../../field/key.js'
import { inAddress } from '../../field/zone.js'
import { permits } from '../../resource/action/policy.js'
import type { HasMany } from '../../resource/components/has-many.js'
import { always, both, type Condition } from '../../resource/condition/condition.js'
import { mostNested, nestedFields, nestedNames } from '../../resource/relation/nested.js'
import { whereOf } from '../../resource/relation/reach.js'
import type { Resource } from '../../resource/resource.js'
import type { Order, Reads, Row } from '../../store/store.js'
import { may, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { isWritable } from '../call/field-access.js'
import { type Lens, lensOf } from '../call/lens.js'
import { resourceNamed } from '../call/resource-named.js'
import { filterCondition } from '../query/filter-condition.js'
import { incomingOperator, incomingRelations } from '../relation/incoming-relations.js'

/** Related records that a user may edit in the form of the record that they belong to. */
export interface Nested {
  /** The name of the list: of the field of a body that holds them. */
  readonly name: string
  /** The heading of the list. */
  readonly title: string
  /** The resource of the related records. */
  readonly other: Resource
  /** The relation that links them. */
  readonly by: Bound
  /** The key of the record that they belong to; null: it is a new one. */
  readonly parent: KeyValue | null
  /** The fields that are edited or shown, as far as the user may see them. */
  readonly fields: readonly Bound[]
  /** The names of all that is shown, in their order: of computed values, too. */
  readonly names: readonly string[]
  /** What the user may do with the related records. */
  readonly may: { readonly create: boolean; readonly update: boolean; readonly delete: boolean }
  /** The most rows. */
  readonly most: number
  /** The list that the detail page shows of them. */
  readonly of: HasMany
}

/** The lists of related records that the caller may edit along with a record, by their names. */
export function nestedOf(call: Pick<Call, 'realm' | 'identity' | 'resource' | 'input'>): ReadonlyMap<string, Nested> {
  const { realm, identity, resource, input } = call
  const edited = resource.related.filter(({ inForm }) => inForm !== null)
  if (edited.length === 0) return none
  const leading = [...incomingRelations(realm, identity, resource)]
  const parent = (input.key === null ? undefined : parseKey(input.key, resource.model.key)) ?? null
  return new Map(
    edited.flatMap((of) => {
      const { by, table, inForm } = of
      if (table.can !== undefined && !permits(table.can, identity)) return []
      const other = resourceNamed(realm.resources, table.resource)
      const link = leading.find((one) => one.other === other && one.to === resource && (by === null || one.field.key === by))?.field
      if (!link || inForm === null) return []
      const all = nestedFields(other, link.key, inForm)
      const { readable } = lensOf(identity, other, { name: 'record', whole: true })
      const fields = all.filter(({ key }) => readable.has(key))
      const isAny = (creating: boolean) => fields.some((field) => isWritable({ identity, resource: other }, field, creating))
      const allowed = {
        create: may(realm, identity, other, 'create') && isAny(true),
        update: may(realm, identity, other, 'update') && isAny(false),
        delete: may(realm, identity, other, 'delete'),
      }
      if (!allowed.create && !allowed.update && !allowed.delete) return []
      return [
        [
          table.name,
          {
            name: table.name,
            title: table.title ?? other.title,
            other,
            by: link,
            parent,
            fields,
            names: nestedNames(other, link.key, inForm),
            may: allowed,
            most: mostNested(resource, all),
            of,
          },
        ],
      ]
    }),
  )
}

const none: ReadonlyMap<string, Nested> = new Map()

/** The call for one of these related records, or for all of them. */
export function nestedCall(call: Call, { other }: Pick<Nested, 'other'>, input: Partial<Call['input']>): Call {
  const { preset: _, seen: __, ...rest } = call
  return {
    ...rest,
    resource: other,
    store: call.realm.storeOf(other),
    input: { ...call.input, key: null, query: new Map(), ifMatch: null, ifNoneMatch: null, ...input },
  }
}

/** The stored rows that belong to a record, as far as the caller may see them, in the order of the list; null: more than a form can hold. */
export async function nestedRows(call: Call, { other, by, of, most }: Nested, key: string): Promise<readonly Row[] | null> {
  const { realm, identity } = call
  const leads = filterCondition(by, incomingOperator(by), [key], inAddress(realm))
  if (leads === null) return []
  const { where, sort } = of.table
  const shown: Condition = where ? whereOf(other, where, realm.timeZone) : always
  const lens = nestedLens(call, other)
  const rows = await realm.storeOf(other).list(other.model, {
    columns: lens.columns,
    where: scopeOf(identity, other, both(shown, leads)),
    order: orderOf(other, sort),
    limit: most + 1,
  })
  return rows.length > most ? null : rows
}

/** Those of these records that are there, whether the list shows them or not, and whichever record they belong to. */
export async function namedRows(call: Call, { other }: Nested, keys: readonly string[], reads?: Reads): Promise<readonly Row[]> {
  const named = keys.flatMap((key) => parseKey(key, other.model.key) ?? [])
  if (named.length === 0) return []
  const from = reads ?? call.realm.storeOf(other)
  return from.findMany(other.model, named, nestedLens(call, other).columns, scopeOf(call.identity, other))
}

/** Whether a related record belongs to the record with this key, as text. */
export function belongs({ at }: Lens, row: Row, by: Bound, parent: string): boolean {
  const link = row[at.get(by.key) as number] ?? null
  return link !== null && keyText(link as KeyValue) === parent
}

/** All that the caller may see of the related records. */
export const nestedLens = ({ identity }: Pick<Call, 'identity'>, other: Resource): Lens =>
  lensOf(identity, other, { name: 'record', whole: true })

/** As the list says, or in the order that users have put them in, else as they were made. */
function orderOf({ model, reorderable }: Resource, sort: readonly string[] | null): readonly Order[] {
  const key = model.key.key
  const steps = sort ?? (reorderable ? [reorderable.key] : [])
  const order = steps.map((one): Order => ({ column: one.replace(/^-/, ''), direction: one.startsWith('-') ? 'DESC' : 'ASC' }))
  return order.some(({ column }) => column === key) ? order : [...order, { column: key, direction: 'ASC' }]
}
