import { invalid } from '../../base/errors.js'
import { shown } from '../../base/shown.js'
import type { Bound } from '../../field/field.js'
import { readOnlyNames } from '../body/read-only-values.js'
import { type ValidatedField, validateField } from '../body/validated-body.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { ImportMode } from '../outcomes/imports.js'
import { matchFields, matchValues } from './match.js'
import { isJsonRecord, type JsonRecord, resolveKeys } from './resolve-keys.js'
import { type ImportRow, type ImportRows, mostRows } from './row.js'

/**
 * The rows of a list of records in JSON, each as a write of one record has it.
 *
 * @throws DaymarkError `invalid`, naming `records`
 */
export async function rowsOfRecords(call: Call, lens: Lens, mode: ImportMode, given: unknown): Promise<ImportRows> {
  const { realm, resource, identity } = call
  const { t } = realm
  if (!Array.isArray(given) || given.length === 0 || !given.every(isJsonRecord)) throw invalid('records', t('import.noRecords'))
  if (given.length > mostRows) throw invalid('records', t('import.tooManyRecords', { most: mostRows }))
  const key = mode === 'create' ? null : resource.model.key.key
  const echoed = readOnlyNames(realm, identity, lens)
  const by = mode === 'create' ? [] : matchFields(call)
  return {
    rows: (await resolveKeys(call, lens, given)).map((record, i) => ({
      name: `records[${i}]`,
      label: `records[${i}]`,
      line: i + 1,
      key: keyIn(record, key),
      match: () => matchValues(by, ({ key }) => (Object.hasOwn(record, key) ? record[key] : null), t),
      sent: (creating, but = []) => sentOf(call, lens, echoed, without(record, but), creating),
    })),
    fields: [],
    ignored: [],
    by,
    named: '',
  }
}

function keyIn(record: JsonRecord, name: string | null): string {
  const key = name !== null && Object.hasOwn(record, name) ? record[name] : null
  return typeof key === 'string' || typeof key === 'number' ? String(key) : ''
}

const without = (record: JsonRecord, but: readonly Bound[]): JsonRecord =>
  but.length === 0 ? record : Object.fromEntries(Object.entries(record).filter(([name]) => !but.some(({ key }) => key === name)))

async function sentOf(
  call: Call,
  lens: Lens,
  echoed: Pick<ReadonlySet<string>, 'has'>,
  record: JsonRecord,
  creating: boolean,
): ReturnType<ImportRow['sent']> {
  const fields: ValidatedField[] = []
  const echoes = new Map<string, unknown>()
  const unknown = new Map<string, readonly string[]>()
  for (const [name, wire] of Object.entries(record)) {
    if (!creating && name === call.resource.model.key.key) continue
    const field = lens.readable.get(name)
    if (field) {
      const sent = validateField(call, field, { wire, text: null, creating })
      fields.push(sent instanceof Promise ? await sent : sent)
    } else if (echoed.has(name)) echoes.set(name, wire)
    else unknown.set(shown(name), [call.realm.t('field.unknown', { name: shown(name), names: [...lens.readable.keys()].join(', ') })])
  }
  return { lens, fields, readOnlyValues: echoes, unknown }
}
