import type { DaymarkError } from '../../base/errors.js'
import { uriOf } from '../../resource/condition/declared.js'
import { everyComponent } from '../../resource/pages/component.js'
import { isComposed, type Page } from '../../resource/pages/own-page.js'
import type { Call, PageCall } from '../call/call.js'
import type { Query } from '../call/input.js'
import { formAgain } from '../form/form.js'
import { panelText } from '../input/panel-text.js'
import type { Outcome } from '../outcomes/outcome.js'
import type { PageAt } from '../outcomes/pages.js'
import { composed } from './own-page.js'

/**
 * Shows a form again on its page, after a refusal or a search, with what the user typed. A conflict is shown on the record's own form page,
 * which has room for it.
 */
export async function formOnPage(call: Call, error: DaymarkError | null): Promise<Outcome> {
  const place = error?.code === 'stale' ? null : placeOf(call)
  if (!place) return formAgain(call, error)
  const { at, page, name } = place
  const { preset: _, store: __, ...rest } = call
  const query = queryOf(panelText(call.input, '_back'))
  const input = { ...call.input, query, key: at.key }
  const again: PageCall = {
    ...rest,
    input,
    wants: { ...call.wants, view: 'index' },
    resource: at.resource,
    pageUri: at.uri,
    part: null,
    again: { name, error },
  }
  const shown = await composed(again, page, at)
  return shown.is === 'composed' ? { ...shown, error, query } : shown
}

/** The hidden value that says on which page a form is. */
export function pageValue(name: string, { resource, uri, key }: PageAt): string {
  return [name, resource?.uriKey ?? '-', uri, ...(key === null ? [] : [key])].join(' ')
}

/** The page that a form names; null: it has no such form. */
function placeOf({ input, realm, resource }: Call): { readonly at: PageAt; readonly page: Page; readonly name: string } | null {
  const [, name, of = '', uri = '', key = null] = /^(\S+) (\S+) (\S+)(?: (.*))?$/s.exec(panelText(input, '_form')) ?? []
  const owner = of === '-' ? null : realm.resources.get(of)
  if (name === undefined || owner === undefined) return null
  const page = owner ? owner.morePages.get(uri) : uri === 'home' ? realm.home : realm.pages.get(uri)
  if (!page || !isComposed(page)) return null
  const here = [...everyComponent(page.components)].some(
    (one) => one.is === 'form' && one.name === name && uriOf(one.resource) === resource.uriKey && one.item === input.key,
  )
  return here ? { at: { resource: owner, uri, key }, page, name } : null
}

/** The query of the page's URL that a form sends along; it selects the tab, for example. */
function queryOf(address: string): Query {
  const query = new Map<string, readonly string[]>()
  for (const [name, value] of new URLSearchParams(address.split('?')[1] ?? '')) query.set(name, [...(query.get(name) ?? []), value])
  return query
}
