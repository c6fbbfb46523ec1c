import { DaymarkError, invalid } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { type KeyValue, keyText, parseKey } from '../../field/key.js'
import type { Reads, Row } from '../../store/store.js'
import { type PendingFills, pendingFills } from '../body/fills.js'
import { changesOf, newValues, type ValidatedBody, type ValidatedField } from '../body/validated-body.js'
import { allow } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { demandVersion } from '../commit/version.js'
import { rowKeyOf } from '../input/key.js'
import { belongs, type Nested, namedRows, nestedLens } from './nested.js'
import type { SentNested, SentRow } from './nested-input.js'

/** A row whose fields have been validated on their own. */
export interface ReadRow extends SentRow {
  readonly sent: ValidatedBody | null
}

/** The rows of one list of related records. */
export interface ReadNested extends Omit<SentNested, 'rows'> {
  readonly rows: readonly ReadRow[]
}

/** What is to be done with one related record. */
export type Step =
  | { readonly is: 'delete'; readonly row: ReadRow; readonly key: KeyValue; readonly before: Row }
  | {
      readonly is: 'update'
      readonly row: ReadRow
      readonly key: KeyValue
      readonly sent: ValidatedBody
      readonly before: Row
      /** The relation, and the record that it has to lead to. */
      readonly by: Bound
      readonly parent: KeyValue
    }
  | {
      readonly is: 'create'
      readonly row: ReadRow
      readonly values: Record<string, unknown>
      /** What relations fill. */
      readonly left: PendingFills
    }

/**
 * What all rows do, and what is wrong with them, so that it is all said at once.
 *
 * @param tx where to read; null: outside of a transaction
 */
export async function stepsOf(
  call: Call,
  read: readonly ReadNested[],
  parent: KeyValue | null,
  tx: Reads | null,
): Promise<{ readonly steps: readonly Step[]; readonly errors: Map<string, readonly string[]> }> {
  const errors = new Map<string, readonly string[]>()
  const steps: Step[] = []
  for (const { nested, rows, fault } of read) {
    if (fault !== null) errors.set(nested.name, [fault])
    const lens = nestedLens(call, nested.other)
    const keys = rows.flatMap(({ key }) => key ?? [])
    const there = new Map((await namedRows(call, nested, keys, tx ?? undefined)).map((row) => [lens.key(row), row]))
    const seen = new Set<string>()
    for (const row of rows) {
      try {
        if (row.key !== null && seen.has(row.key)) throw invalid('', call.realm.t('nested.twice', { key: row.key }))
        if (row.key !== null) seen.add(row.key)
        const step = stepOf(row, { nested, lens, parent, found: (row.key !== null && there.get(row.key)) || null })
        if (step) steps.push(step)
      } catch (thrown) {
        const refused = inRow(thrown, row)
        // What the user may not do ends it at once, and is said of the row.
        if (!(refused instanceof DaymarkError) || refused.code !== 'invalid') throw refused
        for (const [at, texts] of refused.errors) errors.set(at, texts)
      }
    }
  }
  return { steps, errors }
}

interface RowAt {
  readonly nested: Nested
  readonly lens: Lens
  /** The key of the record of the form; null: it is a new one. */
  readonly parent: KeyValue | null
  /** The record that the row names; null: there is none. */
  readonly found: Row | null
}

/** What a row does; null: nothing. */
function stepOf(row: ReadRow, { nested: { other, by }, lens, parent, found }: RowAt): Step | null {
  const { call, sent } = row
  const { realm, identity, input } = call
  const isOwn = found !== null && parent !== null && belongs(lens, found, by, keyText(parent))
  if (sent === null) {
    // Who ticked it in a form finds it gone, as they wanted.
    if (found === null && input.body.from === 'form') return null
    if (!isOwn) throw invalid('', realm.t('record.none'))
    demandVersion(input.ifMatch, other.requireIfMatch, realm)
    return { is: 'delete', row, key: rowKeyOf(lens)(found), before: found }
  }
  if (isOwn) {
    const changes = changesOf(call, sent, found, visibleLens(call, lens, found), pendingFills(call, sent, found))
    if (Object.keys(changes).length === 0) return null
    allow(realm, identity, other, 'update')
    demandVersion(input.ifMatch, other.requireIfMatch, realm)
    return { is: 'update', row, key: rowKeyOf(lens)(found), sent, before: found, by, parent }
  }
  // What a form holds of it, and nobody touched, is in nobody's way.
  if (row.was !== null && sent.fields.length === 0 && sent.unknown.size === 0) return null
  if (row.key !== null) throw invalid('', realm.t(input.body.from === 'form' ? 'nested.gone' : 'record.none'))
  // Perhaps a row that named a record of its own key, which is not there.
  allow(realm, identity, other, 'create')
  const whole = linked(sent, by, parent)
  const pending = pendingFills(call, whole, null)
  return { is: 'create', row, values: newValues(call, whole, pending), left: pending }
}

/** What was sent for a new record, with the relation set: it is not the user who says where the record belongs. */
function linked(sent: ValidatedBody, by: Bound, parent: KeyValue | null): ValidatedBody {
  const isSame = (wire: unknown) => wire === null || (parent !== null && typeof wire !== 'object' && String(wire) === keyText(parent))
  const others = sent.fields.filter(({ field, wire }) => field.key !== by.key || !isSame(wire))
  // Another record than this one: it is refused like any field that is only read here.
  if (others.some(({ field }) => field.key === by.key))
    return { ...sent, fields: others.map((one) => (one.field.key === by.key ? { ...one, writable: false } : one)) }
  // As its own column holds it, which may be of another type than the key.
  const value = parent === null ? null : (parseKey(keyText(parent), by.column) ?? null)
  const link: ValidatedField = { field: by, writable: true, wire: value, text: null, checked: { ok: true, value } }
  return { ...sent, fields: [...others, link] }
}

/** A refusal of a related record as one of the whole: it says where it was sent. */
export function inRow(thrown: unknown, { at, call: { realm } }: SentRow): unknown {
  if (!(thrown instanceof DaymarkError)) return thrown
  const { code, message, errors } = thrown
  if (code === 'unavailable') return thrown
  const named = [...errors].map(([name, texts]) => [name === '' ? at : `${at}.${name}`, texts] as const)
  const text = code === 'stale' ? realm.t('nested.stale') : code === 'preconditionRequired' ? realm.t('nested.versionNeeded') : message
  // The version that did not match is that of the row, and not the one that the request is about.
  const as = code === 'stale' ? 'conflict' : code === 'notFound' || code === 'preconditionRequired' ? 'invalid' : code
  return new DaymarkError(as, text, { errors: named.length > 0 && code !== 'stale' ? named : [[at, [text]]], cause: thrown })
}
