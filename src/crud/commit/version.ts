import { hash } from 'node:crypto'
import { DaymarkError } from '../../base/errors.js'
import { Illegible } from '../../field/illegible.js'
import { StoredInstant } from '../../field/instant.js'
import { finerNumbers } from '../../field/stored-json.js'
import { isTold } from '../../resource/tally.js'
import type { Row } from '../../store/store.js'
import type { Call, Realm } from '../call/call.js'
import type { Input, Versions } from '../call/input.js'
import type { Lens } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { StaleError } from '../outcomes/outcome.js'

/** A version, and the record's JSON if the version was computed from exactly that. */
export interface Versioned {
  readonly version: string
  readonly text: string | null
}

/**
 * The version of a record for this caller: the first 128 bits of SHA-256 over the stored values of every readable field, or the column that
 * the resource names. Hidden fields do not affect it, nor what tells of other records.
 *
 * @param lens a whole-row lens
 */
export function versionOf(lens: Lens, row: Row): string {
  return versioned(lens, row).version
}

/** Like `versionOf`, for a record that is shown, so that it is serialized once. */
export function versioned(lens: Lens, row: Row): Versioned {
  const { version } = lens.resource
  const text = version === null ? lens.wholeText(row) : JSON.stringify(storedVersion(lens, row, version))
  return {
    version: hash('sha256', version === null ? text + beyondJson(lens, row) : text, 'hex').slice(0, 32),
    text: version === null && lens.wholeText === lens.text ? text : null,
  }
}

/** What JSON loses of readable values, so that distinct ones do not look alike. Almost always empty. */
function beyondJson({ at, readable, resource }: Lens, row: Row): string {
  if (!row.some(mayBeBeyond)) return ''
  let text = ''
  for (const key of readable.keys()) {
    if (isTold(resource.model, key)) continue
    const value = row[at.get(key) as number]
    const more = typeof value === 'number' ? beyondNumber(value) : typeof value === 'object' && value !== null ? beyondObject(value) : null
    if (more !== null) text += `\n${key} ${more}`
  }
  return text
}

/** A cheap check of the whole row, before looking up which columns are readable. */
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

/** Whether the caller accepts any version. */
export function isAnyVersion({ ifMatch, ifNoneMatch }: Input): boolean {
  return (ifMatch === null || ifMatch === '*') && ifNoneMatch === null
}

/**
 * Compares the versions that the caller names with the stored one, inside the write's transaction (RFC 9110 §13.1.1, §13.1.2).
 *
 * @throws StaleError
 */
export function matchVersion(call: Call, lens: Lens, row: Row): void {
  const { input } = call
  if (isAnyVersion(input)) return
  const version = versionOf(visibleLens(call, lens, row), row)
  const isNamed = (versions: Versions) => versions === '*' || (versions?.includes(version) ?? false)
  const isUnwanted = isNamed(input.ifNoneMatch)
  if (!isUnwanted && (input.ifMatch === null || isNamed(input.ifMatch))) return
  throw staleError(call, isUnwanted ? 'record.unwanted' : 'record.stale', lens, row)
}

/** The error for a record that has changed, with the current record for those who may view it. */
export function staleError(call: Call, text: 'record.unwanted' | 'record.stale', lens: Lens, row: Row): StaleError {
  const current = visibleLens(call, lens, row) === lens ? { lens, row, version: versionOf(lens, row) } : null
  return new StaleError(call.realm.t(text), current)
}

/** @throws DaymarkError `preconditionRequired` if the resource requires a version and none was sent */
export function demandVersion(ifMatch: Versions, demanded: boolean, realm: Realm): void {
  if (demanded && ifMatch === null) throw new DaymarkError('preconditionRequired', realm.t('record.versionNeeded'))
}
