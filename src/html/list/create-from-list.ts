import type { Identity } from '../../auth/identity.js'
import { formInitialValue } from '../../crud/body/initial-values.js'
import { isWritable } from '../../crud/call/field-access.js'
import { isPrefillable } from '../../crud/form/prefill.js'
import type { Prefill } from '../../crud/outcomes/forms.js'
import type { AppliedFilter } from '../../crud/query/filters.js'
import type { PresenterContext } from '../../face/face.js'
import { takes } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { nextValues } from '../../field/next-values.js'
import { inAddress } from '../../field/zone.js'
import { createUrl } from '../frame/record-urls.js'
import type { AnyList } from './any-list.js'
import { listUrl } from './list-url.js'

/** A record created from a filtered list starts with the filters' values, if all of them hold for what the list has. */
export function prefillFromFilters({ listing, resource }: AnyList): Prefill {
  return listing.matchesAny ? [] : listing.filters.flatMap((filter) => asValue(filter, resource))
}

function asValue({ field, operator, texts: [text, more] }: AppliedFilter, { fields }: AnyList['resource']): Prefill {
  const isOwn = fields.get(field.key) === field
  return isOwn && operator === 'eq' && more === undefined && text !== undefined && !field.readOnly ? [[field.key, text]] : []
}

/**
 * The URLs to create a record with a stored value of a field, or null for none; each returns to the list as it is. Null: the caller may not,
 * or not with that value.
 */
export function createUrls(list: AnyList, field: Bound, at: PresenterContext): (value: unknown) => string | null {
  const { resource } = list
  const identity = at.identity as Identity
  const isChosen = isWritable({ identity, resource }, field, true) && isPrefillable(field)
  if (!isChosen || createUrl(at, resource) === null) return () => null
  const others = prefillFromFilters(list).filter(([key]) => key !== field.key)
  const back = listUrl(at, {})
  return (value) => {
    // Nothing is what a form begins with, where nothing else is filled in.
    if (value === null)
      return field.required || field.hasDefault || formInitialValue(resource.model, field, identity.roles) !== undefined
        ? null
        : createUrl(at, resource, others, back)
    if (nextValues(field, null, identity.roles)?.includes(value) === false) return null
    const text = field.kind.text(value, field, inAddress(at.realm))
    return text !== '' && takes(field, field.kind.wire(value, field)) ? createUrl(at, resource, [...others, [field.key, text]], back) : null
  }
}
