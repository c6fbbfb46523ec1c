import { always } from '../../resource/condition/condition.js'
import type { PageType } from '../../resource/page.js'
import type { KindPage } from '../../resource/pages/own-page.js'
import { whereOf } from '../../resource/relation/reach.js'
import type { Call } from '../call/call.js'

/** An index, detail or form page; `own`: one that the resource declares besides its standard pages. */
export interface OfKind {
  readonly type: PageType
  readonly own: KindPage | null
}

/** The call of an index, detail or form page. */
export function kindCall(call: Call, { type, own }: OfKind): Call {
  const wants = { ...call.wants, view: type }
  if (!own) return { ...call, wants }
  const where = own.where ? whereOf(call.resource, own.where, call.realm.timeZone) : always
  return {
    ...call,
    wants,
    preset: {
      name: null,
      page: own.uri,
      title: own.title,
      fields: own.fields,
      where,
      sort: null,
      limit: null,
      perPage: null,
      async: call.resource.isAsync,
    },
  }
}
