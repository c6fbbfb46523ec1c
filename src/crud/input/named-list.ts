import { invalid } from '../../base/errors.js'
import { permits } from '../../resource/action/policy.js'
import { isComposed, type KindPage, type Page } from '../../resource/pages/own-page.js'
import type { Resource } from '../../resource/resource.js'
import type { Call } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import { kindCall } from './kind-page.js'
import { panelParameter } from './panel-text.js'

/** The panel's own parameter by which an export, or a selection of all records, names the further index page whose list it means. */
export const listParameter = '_list'

/**
 * The call of the list that an export or a selection of all records means: that of the index page in `_list`, with its condition, fields and
 * policy; else the resource's own.
 *
 * @throws DaymarkError `invalid` if there is no such index page, or two are named; `forbidden` if the caller may not see it
 */
export function namedListCall(call: Call): Call {
  const { realm, resource, input } = call
  const uri = panelParameter(input, listParameter)
  // Of two names, one would be ignored, and with it the condition that was meant.
  if (input.query.get(listParameter)?.some((one) => one !== uri))
    throw invalid(listParameter, realm.t('query.repeated', { name: listParameter }))
  if (uri === '') return call
  const page = resource.morePages.get(uri)
  if (!page || !isIndex(page)) {
    const names = namedLists(resource).flatMap((one) => (isFor(one, call) ? [one.uri] : []))
    throw invalid(listParameter, realm.t('page.unknown', { names: names.join(', ') || '–' }))
  }
  if (!isFor(page, call)) throw new DeniedError(realm)
  return kindCall({ ...call, input: { ...input, query: withoutNaming(input.query) } }, { type: 'index', own: page })
}

/** The further index pages of a resource, whose lists can be named. */
export function namedLists({ morePages }: Resource): readonly KindPage[] {
  return [...morePages.values()].filter(isIndex)
}

function isIndex(page: KindPage | Page): page is KindPage {
  return !isComposed(page) && page.type === 'index'
}

function isFor({ can }: KindPage, { identity }: Pick<Call, 'identity'>): boolean {
  return can === undefined || permits(can, identity)
}

/** The query of the list itself. */
function withoutNaming(query: Call['input']['query']): Call['input']['query'] {
  return new Map([...query].filter(([name]) => name !== listParameter))
}
