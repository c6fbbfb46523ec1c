import { hash } from 'node:crypto'
import { DaymarkError } from '../base/errors.js'
import { asStored } from '../field/kind.js'
import type { Row } from '../store/store.js'
import type { IfMatch, Realm } from './call.js'
import type { Lens } from './lens.js'
import { StaleError } from './outcome.js'

/**
 * The version of a record for this caller: the first 128 bits of SHA-256 over the stored values of every field that the caller may read,
 * or the column that the resource names. Hidden fields do not move it.
 *
 * @param lens a whole-row lens
 */
export function versionOf(lens: Lens, row: Row): string {
  let values = versioned.get(lens)
  if (!values) {
    values = valuesOf(lens)
    versioned.set(lens, values)
  }
  return hash('sha256', JSON.stringify(values(row)), 'hex').slice(0, 32)
}

type Values = (row: Row) => unknown

const versioned = new WeakMap<Lens, Values>()

/** What the version of a record is made of. */
function valuesOf(lens: Lens): Values {
  const { version } = lens.resource
  if (version !== null) return partOf(lens, version)
  const all = [...lens.readable.keys()].map((key) => partOf(lens, key))
  return (row) => all.map((value) => value(row))
}

function partOf({ at, resource }: Lens, key: string): Values {
  const place = at.get(key) as number
  const field = resource.fields.get(key)
  if (field?.kind.wire === asStored) return (row) => row[place] ?? null
  const wired = field ? (value: unknown) => field.kind.wire(value, field) : plainly
  return (row) => {
    const value = row[place]
    return value === null || value === undefined ? null : wired(value)
  }
}

function plainly(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : typeof value === 'bigint' ? String(value) : value
}

/**
 * Compares what the caller had read with what is stored, inside the write's transaction.
 *
 * @throws StaleError with the current record
 */
export function matchVersion(ifMatch: IfMatch, lens: Lens, row: Row, realm: Realm): void {
  if (ifMatch === null || ifMatch === '*') return
  const version = versionOf(lens, row)
  if (ifMatch.includes(version)) return
  throw new StaleError(realm.t('record.stale'), { resource: lens.resource, lens, row, key: lens.key(row), version })
}

/** @throws DaymarkError `preconditionRequired` where the resource demands a version and none was sent */
export function demandVersion(ifMatch: IfMatch, demanded: boolean, realm: Realm): void {
  if (demanded && ifMatch === null) throw new DaymarkError('preconditionRequired', realm.t('record.versionNeeded'))
}
