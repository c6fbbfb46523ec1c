import { overValues } from '../../field/over-values.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import { labelColumns } from '../../resource/label.js'
import type { Figure, Reading, ReadingContext } from '../../resource/pages/figure.js'
import type { Source } from '../../resource/pages/sources.js'
import { whereOf } from '../../resource/relation/reach.js'
import { scopeOf } from '../call/allow.js'
import { asJson } from '../call/as-json.js'
import type { PageCall } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { resourceNamed } from '../call/resource-named.js'
import { aggregateOf, aggregateValue } from '../list/aggregate.js'
import type { ReadValue } from '../outcomes/pages.js'
import { labelOf } from '../relation/label.js'

/** Reads the value of a component; null: the caller may not see it. */
export async function readReading(
  call: Pick<PageCall, 'identity' | 'realm'>,
  reading: Reading,
  ctx: ReadingContext,
): Promise<ReadValue | null> {
  if (typeof reading === 'function') return plain(await reading(ctx))
  return typeof reading === 'object' && reading !== null ? readFigure(call, reading) : plain(reading)
}

/** Whether the caller may read the columns that numbers are made of. */
export function mayReadColumns({ identity, realm }: Pick<PageCall, 'identity' | 'realm'>, { columns, resource }: Source): boolean {
  if (columns.length === 0) return true
  const { readable } = lensOf(identity, resourceNamed(realm.resources, resource), { name: 'index', whole: false })
  return columns.every((column) => readable.has(column))
}

/** Computes a figure within the caller's scope; null: they may not see its column. */
export async function readFigure({ identity, realm }: Pick<PageCall, 'identity' | 'realm'>, figure: Figure): Promise<ReadValue | null> {
  const resource = resourceNamed(realm.resources, figure.resource)
  const { model } = resource
  const store = realm.storeOf(resource)
  const where = scopeOf(identity, resource, figure.where ? whereOf(resource, figure.where, realm.timeZone) : undefined)
  const { column } = figure
  if (column === null) return plain(await store.count(model, where))
  const lens = lensOf(identity, resource, { name: 'index', whole: false, also: [column, ...labelColumns(resource)] })
  const field = lens.readable.get(column)
  if (!field) return null
  if (figure.of === 'sum' || figure.of === 'average') {
    const number = aggregateValue(field, await aggregateOf(store, model, { of: figure.of, column, where }))
    // Shown with as many decimals as the single values.
    const shownAs = overValues(field)
    return { ...plain(number), ...(shownAs && { field: shownAs, stored: number }) }
  }
  const known: Condition = { op: 'ne', column, value: null }
  const direction = figure.of === 'smallest' ? 'ASC' : 'DESC'
  const key = model.key.key
  const order = [{ column, direction } as const, ...(column === key ? [] : [{ column: key, direction } as const])]
  const [row] = await store.list(model, { columns: lens.columns, where: both(where, known), order, limit: 1 })
  if (!row) return plain(null)
  const stored = row[lens.at.get(column) as number]
  const record = { resource, key: lens.key(row), label: labelOf(lens, row) }
  return { value: field.kind.wire(stored, field), field, stored, record }
}

function plain(value: unknown): ReadValue {
  return { value: asJson(value, 'A value of a page'), field: null, stored: null, record: null }
}
