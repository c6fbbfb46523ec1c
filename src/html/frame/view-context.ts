import type { Realm } from '../../crud/call/call.js'
import type { Bound, ViewContext } from '../../field/field.js'

const noFile = () => null

/** The context of a kind's cell. */
export function cellContext({ t, locale, timeZone }: Realm, field: Bound, related: ViewContext['related'] = null): ViewContext {
  return {
    t,
    locale,
    timeZone,
    id: field.key,
    name: field.key,
    error: [],
    related,
    chosen: [],
    inWords: true,
    next: null,
    searchUrl: null,
    fileUrl: noFile,
    uploadUrl: null,
    previewUrl: null,
    can: { update: false },
    save: null,
  }
}

type Control = Pick<ViewContext, 'id' | 'name'> &
  Partial<Pick<ViewContext, 'error' | 'chosen' | 'next' | 'searchUrl' | 'fileUrl' | 'uploadUrl' | 'previewUrl'>>

/** The context of a kind's control. */
export function controlContext({ t, locale, timeZone }: Realm, control: Control): ViewContext {
  return {
    t,
    locale,
    timeZone,
    error: [],
    related: null,
    chosen: [],
    inWords: true,
    next: null,
    searchUrl: null,
    fileUrl: noFile,
    uploadUrl: null,
    previewUrl: null,
    can: { update: true },
    save: null,
    ...control,
  }
}
