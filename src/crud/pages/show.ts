import { DaymarkError } from '../../base/errors.js'
import type { Row } from '../../store/store.js'
import { allow } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import { lastComments } from '../comments/thread.js'
import { versioned } from '../commit/version.js'
import { fieldChanges } from '../history/entry-changes.js'
import { relatedOf } from '../history/history.js'
import { viewed } from '../input/viewed.js'
import type { Shown } from '../outcomes/records.js'
import { isHistoryList, resourceOf, subjectRelations } from '../relation/history-subjects.js'
import { type Related, readRelated } from '../relation/related.js'
import { type NamedRelation, namedRelations, relationsOf } from '../relation/relation.js'
import { withAllTrashed } from '../relation/trashed.js'
import { relatedLists } from './related-lists.js'

/** One record. */
export async function show(call: Call): Promise<Shown> {
  const { identity, realm, resource, wants, preset } = call
  allow(realm, identity, resource, 'view')
  const { only, include } = recordQuery(call)
  const some = only ?? preset?.fields
  const lens = lensOf(identity, resource, some ? { name: wants.view, whole: true, only: some } : { name: wants.view, whole: true })
  const row = await viewed(call, lens)
  // A partial record, or one with relations, is another representation, so it has no version.
  const { version, text } = wants.version && !only && include.length === 0 ? versioned(lens, row) : unversioned
  const related = readRelated(
    realm,
    identity,
    lens,
    [row],
    wants.labels ? [...relationsOf(realm, identity, lens), ...subjectRelations(realm, identity, lens)] : include,
  )
  return {
    is: 'shown',
    resource,
    lens,
    row,
    key: lens.key(row),
    version,
    text,
    include,
    related: wants.labels
      ? await withChanged(call, lens, row, await withAllTrashed(call, lens, [row], await related))
      : related instanceof Promise
        ? await related
        : related,
    sections: resource.details.get(preset?.page ?? 'detail-page') ?? [],
    belonging: wants.belonging && !preset ? await relatedLists(call, lens.key(row)) : noLists,
    thread: wants.belonging && !preset ? await lastComments(call, lens, row) : null,
  }
}

/** With the records that relations led to before and after, in an entry of the list of all changes. */
async function withChanged(call: Call, lens: Lens, row: Row, related: Related): Promise<Related> {
  const of = isHistoryList(lens.resource) ? resourceOf(call.realm, row[lens.at.get('of') as number]) : null
  if (!of) return related
  return new Map([
    ...related,
    ...(await relatedOf(call, lensOf(call.identity, of, { name: 'record', whole: true }), fieldChanges(of, lens, row))),
  ])
}

const noLists: Shown['belonging'] = []
const unversioned = { version: null, text: null }

interface RecordQuery {
  readonly only: readonly string[] | null
  readonly include: readonly NamedRelation[]
}

const plainly: RecordQuery = { only: null, include: [] }

/** `fields` and `include` of a single record. */
function recordQuery({ identity, realm, resource, input, wants }: Call): RecordQuery {
  if (input.query.size === 0) return plainly
  const { t } = realm
  const lens: Lens = lensOf(identity, resource, { name: wants.view, whole: true })
  const relations = namedRelations(realm, identity, lens)
  const errors = new Map<string, string[]>()
  for (const [name, values] of input.query) {
    if (name !== 'fields' && name !== 'include') errors.set(name, [t('query.unknown', { name, names: 'fields, include' })])
    else if (values.length > 1) errors.set(name, [t('query.repeated', { name })])
  }
  const names = (parameter: string) => (input.query.get(parameter)?.[0] ?? '').split(',').filter(Boolean)
  const isField = (name: string) => lens.readable.has(name) || lens.computed.has(name)
  const [only, included] = [names('fields'), names('include')]
  for (const name of only)
    if (!isField(name))
      errors.set('fields', [t('query.unknownField', { name, names: [...lens.readable.keys(), ...lens.computed.keys()].join(', ') })])
  for (const name of included)
    if (!relations.has(name)) errors.set('include', [t('query.unknownInclude', { name, names: [...relations.keys()].join(', ') || '–' })])
  if (wants.strict && errors.size > 0) throw new DaymarkError('invalid', [...errors.values()].flat()[0] as string, { errors })
  return {
    only: only.length > 0 ? only.filter(isField) : null,
    include: [...new Set(included)].map((name) => relations.get(name)).filter((one) => one !== undefined),
  }
}
