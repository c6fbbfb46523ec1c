import { DaymarkError } from '../../base/errors.js'
import { permits } from '../../resource/action/policy.js'
import { pageTypes } from '../../resource/page.js'
import { isComposed, type KindPage, type Page } from '../../resource/pages/own-page.js'
import type { Call } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import { form } from '../form/form.js'
import { kindCall, type OfKind } from '../input/kind-page.js'
import { list } from '../list/list.js'
import type { Outcome } from '../outcomes/outcome.js'
import { composed, mayPage } from './own-page.js'
import { show } from './show.js'

/** A resource's page by its URI. Index, detail and form pages behave like the verb that they stand for, which checks its own ability. */
export async function page(call: Call): Promise<Outcome> {
  const { resource, input } = call
  const uri = input.params?.get('pageUri') ?? ''
  const found = resourcePage(call, uri)
  if (!('type' in found)) return composed({ ...call, pageUri: uri, part: null }, found, { resource, uri, key: input.key })
  const own = kindCall(call, found)
  if (found.type === 'form') return form(own)
  if (found.type === 'detail' && input.key !== null) return show(own)
  if (found.type === 'index' && input.key === null) return list(own)
  throw noPage(call)
}

/**
 * The resource's page with this URI.
 *
 * @throws DaymarkError `notFound`; `forbidden` if the caller may not see it
 */
export function resourcePage(call: Call, uri: string): OfKind | Page {
  const { resource, identity, realm } = call
  const type = pageTypes.find((one) => uri === `${one}-page`)
  if (type) return { type, own: null }
  const more = resource.morePages.get(uri)
  if (!more) throw noPage(call)
  if (isComposed(more)) return more
  if (more.can !== undefined && !permits(more.can, identity)) throw new DeniedError(realm)
  return { type: more.type, own: more }
}

/** The further pages of a resource that the caller may see. The ability of an index, detail or form page is checked separately. */
export function morePagesFor(call: Pick<Call, 'realm' | 'identity' | 'resource'>): readonly (KindPage | Page)[] {
  const { resource, identity } = call
  return [...resource.morePages.values()].filter((one) =>
    isComposed(one) ? mayPage(call, one, { resource }) : one.can === undefined || permits(one.can, identity),
  )
}

function noPage(call: Call): DaymarkError {
  const { realm } = call
  const more = morePagesFor(call)
  const names = [...pageTypes.map((type) => `${type}-page`), ...more.map(({ uri }) => uri)]
  return new DaymarkError('notFound', realm.t('page.unknown', { names: names.join(', ') }))
}
