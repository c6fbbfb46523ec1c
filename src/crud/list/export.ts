import { invalid } from '../../base/errors.js'
import { numberText } from '../../base/number.js'
import { type KeyValue, keyText } from '../../field/key.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Call } from '../call/call.js'
import type { Query } from '../call/input.js'
import { defaultPreferences } from '../call/preferences.js'
import { importModes } from '../import/import.js'
import { exportFormat } from '../input/export-format.js'
import { namedListCall } from '../input/named-list.js'
import {
  checkAll,
  checkOnlySelection,
  isIdsName,
  listFilters,
  namedKeys,
  noneSelectedError,
  selectsAll,
  selectsBoth,
} from '../input/selected-ids.js'
import type { Exported } from '../outcomes/lists.js'
import { namingFilters } from '../query/refused-filters.js'
import { chunkSize, missingRecordsError } from '../query/selection.js'
import type { FileFormat } from '../realm/file-format.js'
import { isHistoryList } from '../relation/history-subjects.js'
import { columnsOfRelation } from '../relation/relation.js'
import { viewOf } from './list.js'
import { readChunks } from './stream.js'

/** All rows of a list, whatever its page, or those of `ids[]`. Strict, since a file has no place to report an ignored parameter. */
export async function exportList(call: Call): Promise<Exported> {
  const named = [...call.input.query.keys()].some(isIdsName)
  return exported(call, call.input.query, named ? selectedKeys(call) : null)
}

/**
 * The selected rows of a list: those of `ids[]`, or with `_all=1` all that match the filters. Nothing is changed, so `_total` is not compared:
 * what has come meanwhile is in the file, too.
 */
export async function exportSelected(call: Call): Promise<Exported> {
  const { input, realm } = call
  checkAll(call)
  const isOfPage = checkOnlySelection(call)
  if (selectsAll(input) && selectsBoth(input)) throw invalid('ids', realm.t('ids.andAll'))
  const keys = selectsAll(input) ? null : selectedKeys(call)
  // The form around a list always sends its filters. Who has ticked a row wants it, whatever it has become meanwhile.
  const filters = keys !== null && isOfPage ? [] : listFilters(input, realm.t)
  const query = [...input.query].filter(([name]) => name !== '_all' && name !== '_total')
  return exported(call, new Map([...query, ...filters]), keys)
}

// They are in memory, and each chunk of the file is found by them.
const mostKeys = 10_000

/** @throws DaymarkError `invalid` if no record is named, or too many are */
function selectedKeys(call: Call): readonly KeyValue[] {
  const keys = namedKeys(call, mostKeys)
  if (keys.length === 0) throw noneSelectedError(call)
  return keys
}

/** @param keys the keys of the rows; null: all */
async function exported(call: Call, query: Query, keys: readonly KeyValue[] | null): Promise<Exported> {
  const format = exportFormat(call)
  const ofList = new Map([...query].filter(([name]) => !isIdsName(name) && name !== 'format'))
  const meant = namedListCall({ ...call, input: { ...call.input, query: ofList } })
  const own: Call = {
    ...meant,
    chosen: defaultPreferences,
    wants: { ...meant.wants, wholeRows: false, labels: true, strict: true },
  }
  const { lens, listing, relations } = viewOf(own)
  const shown = relations.filter((one) => columnsOfRelation(one).every((column) => lens.shown.some(({ key }) => key === column)))
  const { resource } = call
  // Without the key, an import of the file could change none of its records. Whoever names the fields gets those.
  const named =
    importModes(call).includes('update') && !query.get('fields')?.[0] && !lens.shown.some(({ key }) => key === resource.model.key.key)
  const key = named ? (lens.readable.get(resource.model.key.key) ?? null) : null
  const where = keys === null ? listing.where : both(listing.where, among(call, keys))
  const chunks = await namingFilters(call, listing, async () => {
    if (keys !== null) await checkThere(call, listing.where, keys)
    if (format) await checkFits(call, format, where)
    return readChunks(own, lens, { ...listing, where }, shown, isHistoryList(resource))
  })
  return { is: 'exported', resource, lens, key, chunks, relations: shown, title: meant.preset?.title ?? resource.title, format }
}

/** @throws DaymarkError `invalid` if there are more rows than a file of this format holds */
async function checkFits({ realm, resource, store }: Call, { label, mostRows }: FileFormat, where: Condition): Promise<void> {
  if ((await store.count(resource.model, where, mostRows + 1)) <= mostRows) return
  throw invalid('format', realm.t('export.tooMany', { most: numberText(realm.locale, mostRows), format: label }))
}

function among({ resource }: Call, values: readonly KeyValue[]): Condition {
  return { op: 'in', column: resource.model.key.key, values }
}

/** @throws DaymarkError `notFound` naming those that are not in the list, or not for the caller */
async function checkThere(call: Call, where: Condition, keys: readonly KeyValue[]): Promise<void> {
  const { realm, resource, store } = call
  const { model } = resource
  if ((await store.count(model, both(where, among(call, keys)))) === keys.length) return
  const there = new Set<string>()
  for (let from = 0; from < keys.length; from += chunkSize) {
    const some = both(where, among(call, keys.slice(from, from + chunkSize)))
    const order = [{ column: model.key.key, direction: 'ASC' }] as const
    for (const [key] of await store.list(model, { columns: [model.key.key], where: some, order, limit: chunkSize }))
      there.add(keyText(key as KeyValue))
  }
  const missing = keys.map(keyText).filter((key) => !there.has(key))
  if (missing.length > 0) throw missingRecordsError(realm, missing)
}
