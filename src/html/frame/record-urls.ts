import { may } from '../../crud/call/allow.js'
import type { Lens } from '../../crud/call/lens.js'
import { prefillQuery } from '../../crud/form/prefill.js'
import { importModes } from '../../crud/import/import.js'
import type { Prefill } from '../../crud/outcomes/forms.js'
import { subjectRelations } from '../../crud/relation/history-subjects.js'
import { relatedName } from '../../crud/relation/relation.js'
import type { PresenterContext } from '../../face/face.js'
import type { Bound } from '../../field/field.js'
import type { Resource } from '../../resource/resource.js'
import { trashIn } from '../../resource/trash-resource.js'
import { type Place, url } from '../../route/url.js'

interface RecordUrls {
  show(key: string): string
  form(key: string): string
  /** Where its place among the others is set. */
  place(key: string): string
}

/** The URLs of a resource's records, built from a shared prefix. */
export function recordUrls(place: Place, resourceUri: string): RecordUrls {
  const show = `${url(place, 'crud.index', { resourceUri })}/`
  const form = `${url(place, 'resource.page', { resourceUri, pageUri: 'form-page' })}/`
  return {
    show: (key) => show + encodeURIComponent(key),
    form: (key) => form + encodeURIComponent(key),
    place: (key) => `${show}${encodeURIComponent(key)}/place`,
  }
}

/** Where a form asks, while users type, what is wrong with it. That is no error then, which the browser's console would show. */
export function checkUrl(place: Place, resourceUri: string, key: string | null): string {
  return url(place, 'validate', { resourceUri, ...(key !== null && { resourceItem: key }), query: { _check: '1' } })
}

/** Where the records of a resource itself are searched; null: its key refers to other records, and leads to those. */
export function ownSearchUrl(
  { realm, place }: Pick<PresenterContext, 'realm' | 'place'>,
  { uriKey, model, fields }: Resource,
): string | null {
  const { key } = model.key
  const field = fields.get(key)
  return field && realm.links.has(field) ? null : url(place, 'async-search', { resourceUri: uriKey, field: key })
}

/** The URLs of the files that a field of a record holds, by their paths. */
export function fileUrls(record: string, field: Bound): (path: string) => string {
  const url = `${record}/file/${encodeURIComponent(field.key)}`
  return field.kind.many(field) ? (path) => `${url}?${new URLSearchParams({ path })}` : () => url
}

/** The URLs of related records, by relation field, there or in the trash; null if the caller may not see them. */
export function relatedUrls(
  { realm, place, identity }: PresenterContext,
  lens: Lens,
): (field: string, key: string, trashed: boolean) => string | null {
  const [known, inTrash] = [new Map<string, RecordUrls>(), new Map<string, RecordUrls>()]
  const add = (name: string, target: Resource) => {
    const trash = trashIn(realm.resources, target)
    if (identity && may(realm, identity, target, 'view')) known.set(name, recordUrls(place, target.uriKey))
    if (trash && identity && may(realm, identity, trash, 'view')) inTrash.set(name, recordUrls(place, trash.uriKey))
  }
  for (const field of lens.readable.values()) {
    const target = realm.links.get(field)
    if (target) add(field.key, target)
  }
  if (identity) for (const relation of subjectRelations(realm, identity, lens)) add(relatedName(relation), relation.target)
  return (field, key, trashed) => (trashed ? inTrash : known).get(field)?.show(key) ?? null
}

/** The URL to create a record with initial values; null if the caller may not. */
export function createUrl(
  { realm, place, identity }: PresenterContext,
  resource: Resource,
  begun: Prefill = [],
  back: string | null = null,
): string | null {
  if (!identity || !may(realm, identity, resource, 'create')) return null
  return newUrl(place, resource.uriKey, begun, back)
}

/**
 * The URL of a new record's form.
 *
 * @param back the page to return to once it is saved, or the place on the page that leads here (`#lines`); null: the record's
 */
export function newUrl(place: Place, resourceUri: string, begun: Prefill, back: string | null = null): string {
  const query = { ...prefillQuery(begun), ...(back !== null && { _back: back }) }
  return url(place, 'resource.page', { resourceUri, pageUri: 'form-page', query })
}

/** The URL of the import into a resource; null: the user may not import. */
export function importUrl({ realm, place, identity }: PresenterContext, resource: Resource): string | null {
  if (identity === null || importModes({ realm, identity, resource }).length === 0) return null
  return url(place, 'crud.importForm', { resourceUri: resource.uriKey })
}

/** What users read on the link to an import. */
export function importText({ realm: { t, formats } }: PresenterContext): string {
  return t(formats.size === 0 ? 'import.csv' : 'import.title')
}

/** The URL of the list of a resource's deleted records; null: there is none, or the user may not see it. */
export function trashUrl({ realm, place, identity }: PresenterContext, resource: Resource): string | null {
  const trash = trashIn(realm.resources, resource)
  if (identity === null || !trash || !may(realm, identity, trash, 'viewAny')) return null
  return url(place, 'crud.index', { resourceUri: trash.uriKey })
}
