import { hash } from 'node:crypto'
import { DaymarkError } from '../base/errors.js'
import { Illegible } from '../field/illegible.js'
import { StoredInstant } from '../field/instant.js'
import { finerNumbers } from '../field/stored-json.js'
import type { Row } from '../store/store.js'
import type { Call, Input, Realm, Versions } from './call.js'
import type { Lens } from './lens.js'
import { StaleError } from './outcome.js'
import { seenBy } from './seen.js'

/** A version, and the JSON of the shown record where the version was made of the very same. */
export interface Versioned {
  readonly version: string
  readonly text: string | null
}

/**
 * The version of a record for this caller: the first 128 bits of SHA-256 over the stored values of every field that the caller may read,
 * or the column that the resource names. Hidden fields do not move it.
 *
 * @param lens a whole-row lens
 */
export function versionOf(lens: Lens, row: Row): string {
  return versioned(lens, row).version
}

/** The same for a record that is shown: its values are written once. */
export function versioned(lens: Lens, row: Row): Versioned {
  const { version } = lens.resource
  const text = version === null ? lens.wholeText(row) : JSON.stringify(storedVersion(lens, row, version))
  return {
    version: hash('sha256', version === null ? text + beyondJson(lens, row) : text, 'hex').slice(0, 32),
    text: version === null && lens.wholeText === lens.text ? text : null,
  }
}

/** What JSON does not tell of the values that are read: two that look alike there need not be the same. Next to always nothing. */
function beyondJson({ at, readable }: Lens, row: Row): string {
  if (!row.some(mayBeBeyond)) return ''
  let text = ''
  for (const key of readable.keys()) {
    const value = row[at.get(key) as number]
    const more = typeof value === 'number' ? beyondNumber(value) : typeof value === 'object' && value !== null ? beyondObject(value) : null
    if (more !== null) text += `\n${key} ${more}`
  }
  return text
}

/** Asked of all that was read, since it costs less than to look for what of that may be told. */
function mayBeBeyond(value: unknown): boolean {
  return typeof value === 'number'
    ? beyondNumber(value) !== null
    : typeof value === 'object' && value !== null && value.constructor !== Date
}

function beyondNumber(value: number): string | null {
  return Object.is(value, -0) ? '-0' : Number.isFinite(value) ? null : String(value)
}

function beyondObject(value: object): string | null {
  if (value instanceof StoredInstant || value instanceof Illegible) return String(value.stored)
  return value instanceof Date ? null : finerNumbers(value)
}

/** The column that the resource names. */
function storedVersion({ at, resource }: Lens, row: Row, version: string): unknown {
  const value = row[at.get(version) as number]
  const field = resource.fields.get(version)
  if (value === null || value === undefined) return null
  return field ? field.kind.wire(value, field) : plainly(value)
}

function plainly(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : typeof value === 'bigint' ? String(value) : value
}

/** Whether it does not matter what the caller had read. */
export function isAnyVersion({ ifMatch, ifNoneMatch }: Input): boolean {
  return (ifMatch === null || ifMatch === '*') && ifNoneMatch === null
}

/**
 * Compares the versions that the caller names with what is stored, inside the write's transaction (RFC 9110 §13.1.1, §13.1.2).
 *
 * @throws StaleError
 */
export function matchVersion(call: Call, lens: Lens, row: Row): void {
  const { input } = call
  if (isAnyVersion(input)) return
  const version = versionOf(seenBy(call, lens, row), row)
  const isNamed = (versions: Versions) => versions === '*' || (versions?.includes(version) ?? false)
  const isUnwanted = isNamed(input.ifNoneMatch)
  if (!isUnwanted && (input.ifMatch === null || isNamed(input.ifMatch))) return
  throw staleError(call, isUnwanted ? 'record.unwanted' : 'record.stale', lens, row)
}

/** Says that a record is another one by now, with what it is to who may view it. */
export function staleError(call: Call, text: 'record.unwanted' | 'record.stale', lens: Lens, row: Row): StaleError {
  const current = seenBy(call, lens, row) === lens ? { lens, row, version: versionOf(lens, row) } : null
  return new StaleError(call.realm.t(text), current)
}

/** @throws DaymarkError `preconditionRequired` where the resource demands a version and none was sent */
export function demandVersion(ifMatch: Versions, demanded: boolean, realm: Realm): void {
  if (demanded && ifMatch === null) throw new DaymarkError('preconditionRequired', realm.t('record.versionNeeded'))
}
