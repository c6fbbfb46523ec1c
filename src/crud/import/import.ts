import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { DaymarkError, invalid } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { keyText } from '../../field/key.js'
import type { Resource } from '../../resource/resource.js'
import type { Row } from '../../store/store.js'
import { noPendingFills } from '../body/fills.js'
import { changesOf } from '../body/validated-body.js'
import { allow, may, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import { inTransaction } from '../call/in-transaction.js'
import { type Lens, lensOf, meets } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { commit } from '../commit/commit.js'
import { commitCreate } from '../commit/create.js'
import { commitUpdate } from '../commit/update.js'
import { exportFormat } from '../input/export-format.js'
import { runOnce } from '../input/idempotent.js'
import { panelFields } from '../input/panel-fields.js'
import { panelText } from '../input/panel-text.js'
import { isSameStored } from '../input/same-stored.js'
import type { FileColumns, ImportCounts, Imported, Importing, ImportMode, ImportTemplate } from '../outcomes/imports.js'
import { UsedKeyError } from '../realm/idempotency.js'
import { columnParameter, fieldsOfFile, importable } from './columns.js'
import { ImportError } from './error.js'
import { tableIn } from './file.js'
import { fileColumns } from './file-columns.js'
import { matchFields, relatedMatch } from './match.js'
import { countsOf, faultOf, planRows, refusedAt } from './plan.js'
import type { Plan } from './row.js'
import { readRows } from './rows.js'

/** The form of an import; after a refusal, with what was wrong. */
export async function importPage(call: Call, error: DaymarkError | null = null): Promise<Importing> {
  return importing(call, error)
}

/** A file that has nothing but the names of the columns that an import takes. */
export async function importTemplate(call: Call): Promise<ImportTemplate> {
  const { fields, key, match, related } = takenBy(call)
  return { is: 'importTemplate', resource: call.resource, fields: fieldsOfFile(fields, key, match), related, format: exportFormat(call) }
}

/**
 * Creates and changes records from the rows of a CSV file, or from a list of them in JSON: all of them, or none. With `check`, nothing is
 * written, and it is said what would be.
 */
export async function importRecords(call: Call): Promise<Imported | Importing> {
  const modes = modesOf(call)
  checkFields(call)
  const mode = askedMode(call, modes)
  const own: Call = { ...call, input: { ...call.input, ifMatch: null, ifNoneMatch: null } }
  const lens = lensOf(call.identity, call.resource, { name: 'record', whole: true })
  if (isChecked(call)) {
    const read = await readRows(own, lens, mode)
    const plans = await planRows(own, lens, mode, read)
    return importing(call, null, { ...countsOf(plans), fields: read.fields, ignored: read.ignored, named: read.named })
  }
  const write = async (): Promise<Imported> => {
    const read = await readRows(own, lens, mode)
    const plans = await planRows(own, lens, mode, read)
    return { is: 'imported', resource: call.resource, ...(await written(own, plans)), ignored: read.ignored }
  }
  return runOnce(call, ['import', call.resource.uriKey], write, { said: () => call.realm.t('import.doneBefore') })
}

/**
 * Writes all rows in one transaction, each like a single record: with its rules, hooks, policies and history. Returns how many records it
 * has created and changed.
 *
 * @throws ImportError with what is wrong with the first that is refused; then nothing is written
 */
async function written(call: Call, plans: readonly Plan[]): Promise<Omit<ImportCounts, 'ignored'>> {
  const { model } = call.resource
  const keys = plans.flatMap(({ key }) => key ?? [])
  return commit(
    call,
    async ({ raw, lens }) => {
      // All at once, whole, which locks them in one order: two files that change the same records would else block each other half-way.
      const rows = keys.length === 0 ? [] : await raw.findMany(model, keys, lens.columns, scopeOf(call.identity, call.resource))
      const stored = new Map(rows.map((row) => [lens.key(row), row]))
      const within: Call = { ...inTransaction(call, raw), placing: new Map() }
      const counts = { created: 0, updated: 0, unchanged: 0 }
      for (const [i, plan] of plans.entries()) {
        // Other requests have their turn.
        if (i % 50 === 49) await setImmediate()
        try {
          counts[await writeRow(within, plan, plan.key === undefined ? undefined : stored.get(keyText(plan.key)))]++
        } catch (thrown) {
          throw new ImportError(call, [faultOf(thrown, plan.row)])
        }
      }
      return counts
    },
    false,
  )
}

/** @param before the record as it is now, if the row names one that is there */
async function writeRow(
  within: Call,
  { sent, key, by, before: read }: Plan,
  before: Row | undefined,
): Promise<'created' | 'updated' | 'unchanged'> {
  if (key === undefined) {
    await commitCreate(within, sent)
    return 'created'
  }
  // By what it has now, the row would not find it.
  const isSame = ({ key }: Bound) => isSameStored(read?.[sent.lens.at.get(key) as number], before?.[sent.lens.at.get(key) as number])
  if (before && !by.every(isSame)) throw refusedAt(by, within.realm.t('record.stale'))
  // Somebody may have changed it since it was looked at.
  if (before && Object.keys(changesOf(within, sent, before, visibleLens(within, sent.lens, before), noPendingFills)).length === 0)
    return 'unchanged'
  await commitUpdate(within, key, sent)
  return 'updated'
}

/**
 * What the caller may do by an import.
 *
 * @throws DaymarkError `notFound` if the resource has none, `forbidden` if they may not use it
 */
function modesOf(call: Call): readonly ImportMode[] {
  const { realm, identity, resource } = call
  if (resource.import === false) throw new DaymarkError('notFound', realm.t('page.none'))
  if (!meets(resource.import, identity)) throw new DeniedError(realm)
  const modes = importModes(call)
  // Of whoever may do neither, the gate says which of both is missing.
  if (modes.length === 0) allow(realm, identity, resource, 'create')
  return modes
}

/** What the caller may do by an import of the resource: nothing if it has none. */
export function importModes({ realm, identity, resource }: Pick<Call, 'realm' | 'identity' | 'resource'>): readonly ImportMode[] {
  if (resource.import === false || !meets(resource.import, identity)) return []
  const creates = may(realm, identity, resource, 'create') && !needsFile(resource)
  const key = resource.fields.get(resource.model.key.key)
  const isNamed = (key !== undefined && meets(key.visible, identity)) || matchFields({ identity, resource }).length > 0
  // A file has no versions, so it cannot say which state of a record it was made of.
  const updates = isNamed && !resource.requireIfMatch && may(realm, identity, resource, 'update')
  return [
    ...(creates ? (['create'] as const) : []),
    ...(updates ? (['update'] as const) : []),
    ...(creates && updates ? (['both'] as const) : []),
  ]
}

/** Whether a new record needs a file, which an import cannot bring. */
function needsFile({ fields, pages }: Resource): boolean {
  return pages.form.some((name) => {
    const field = fields.get(name)
    return field !== undefined && field.kind.file !== null && field.required && !field.hasDefault
  })
}

function askedMode(call: Call, modes: readonly ImportMode[]): ImportMode {
  const text = textOf(call, 'mode')
  const mode = text === '' ? modes[0] : modes.find((one) => one === text)
  if (mode === undefined) throw invalid('mode', call.realm.t('import.mode', { modes: modes.join(', ') }))
  return mode
}

/** @throws DaymarkError `invalid` for anything but yes and no: what is only to be checked must not be written */
function isChecked(call: Call): boolean {
  const text = textOf(call, 'check')
  if (!['', '0', '1', 'false', 'true'].includes(text)) throw invalid('check', call.realm.t('field.notBoolean', { label: 'check' }))
  return text === '1' || text === 'true'
}

/** @throws DaymarkError `invalid` for what belongs to no import */
function checkFields({ input, realm }: Call): void {
  const { body } = input
  const columns = body.from === 'form' ? [...body.fields.keys()].filter((name) => columnParameter.test(name)) : []
  const switches = ['check']
  if (body.from === 'json') panelFields(input, ['mode'], realm, { switches, others: ['records'] })
  else panelFields(input, ['file', 'mode', ...columns], realm, { switches })
}

/** The value of a name in the body, or in the query for a body that is a file alone; empty: not sent. */
function textOf({ input: { body, query } }: Call, name: string): string {
  const given = body.from === 'form' ? body.fields.get(name)?.at(-1) : body.from === 'json' ? body.fields.get(name) : undefined
  return String(given ?? query.get(name)?.at(-1) ?? '')
}

async function importing(call: Call, error: DaymarkError | null, checked: Importing['checked'] = null): Promise<Importing> {
  const { resource, input } = call
  const { modes, lens, fields, key, match, related } = takenBy(call)
  const asked = modes.find((one) => one === textOf(call, 'mode'))
  return {
    is: 'importing',
    resource,
    modes,
    mode: asked ?? (modes[0] as ImportMode),
    fields,
    key,
    match,
    related,
    checked,
    columns: await columnsIn(call, lens, modes),
    error,
    once: (!(error instanceof UsedKeyError) && panelText(input, '_once')) || randomUUID(),
  }
}

/**
 * What an import takes of the caller. `key` and `match`: the fields that name the records to change, if they may change any. `related`: those
 * that name related ones besides their key and label, by relation.
 */
function takenBy(call: Call) {
  const { identity, resource } = call
  const modes = modesOf(call)
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const changes = modes.includes('update')
  const key = (changes && lens.readable.get(resource.model.key.key)) || null
  const [fields, match] = [importable(call, lens, 'both'), changes ? matchFields(call) : []]
  const related = new Map([...fields, ...match].map((field) => [field, relatedMatch(call, field)]))
  return { modes, lens, fields, key, match, related }
}

/** What the columns of the sent file are taken for; null: there is none that can be read. */
async function columnsIn(call: Call, lens: Lens, modes: readonly ImportMode[]): Promise<FileColumns | null> {
  const { body } = call.input
  const [file] = (body.from === 'form' ? body.files?.get('file') : undefined) ?? []
  if (!file) return null
  try {
    return fileColumns(call, lens, modes, await tableIn(file.bytes, call.realm))
  } catch (thrown) {
    // Why the import was refused says so already.
    if (thrown instanceof DaymarkError) return null
    throw thrown
  }
}
