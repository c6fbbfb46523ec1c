import type { DaymarkError } from '../base/errors.js'
import { type Page, pageButtons } from '../resource/own-page.js'
import { permits } from '../resource/policy.js'
import { act, actionOf, actOnPage, meantName, namedAction } from './act.js'
import { actionInput } from './action-input.js'
import { asked, askedOnPage, asksFirst } from './ask.js'
import type { Call, PageCall } from './call.js'
import { checkRelations } from './commit.js'
import { selectionOf } from './ids.js'
import type { Outcome } from './outcome.js'
import { allowPage, panelPage } from './own-page.js'
import { resourcePage } from './page.js'
import { panelText } from './panel-text.js'
import { pressedButton } from './pressed-button.js'

/**
 * Runs a declared method: of a page of one's own, or of a resource by one of its pages, each of which asks who may see it. Nothing that is not declared can be
 * called.
 */
export async function method(call: PageCall): Promise<Outcome> {
  const { own, page } = methodPage(call)
  const name = meantName(call, 'method')
  return own && !page?.methods.has(name) ? ofResource(own, name, null) : ofPage(call, page as Page, name, null)
}

/** The form of a method again, after a refusal. */
export async function methodAgain(call: PageCall, error: DaymarkError): Promise<Outcome> {
  const { own, page } = methodPage(call)
  const name = meantName(call, 'method')
  return own && !page?.methods.has(name) ? ofResource(own, name, error) : ofPage(call, page as Page, name, error)
}

/** The page that calls: of the panel, or of a resource with what that needs. The caller may see it. */
function methodPage(call: PageCall): { readonly own: Call | null; readonly page: Page | null } {
  const { resource, pageUri, realm } = call
  if (!resource) {
    const page = panelPage(call)
    allowPage(call, page, { resource })
    return { own: null, page }
  }
  const { part: _, ...rest } = call
  const own: Call = { ...rest, resource, store: realm.storeOf(resource) }
  const found = resourcePage(own, pageUri)
  if ('type' in found) return { own, page: null }
  allowPage(call, found, { resource })
  return { own, page: found }
}

/** @param error after a refusal: the form is shown again */
async function ofResource(call: Call, name: string, error: DaymarkError | null): Promise<Outcome> {
  const action = actionOf(call, call.resource.methods, name)
  if (error ? action.fields.size > 0 : asksFirst(call.input))
    return asked(call, action, await selectionOf(call, call.store, action.fields), error)
  if (error) throw error
  const { value, fields } = await actionInput(action, call)
  await checkRelations(call, call.store, fields, action.fields)
  return {
    is: 'acted',
    answer: await act(call, action, (reads) => selectionOf(call, reads, action.fields), value),
    back: panelText(call.input, '_back'),
  }
}

async function ofPage(call: PageCall, page: Page, name: string, error: DaymarkError | null): Promise<Outcome> {
  const { realm, identity, input } = call
  const action = namedAction(call, page.methods, name, ({ can }) => can === null || permits(can, identity))
  if (error ? action.fields.size > 0 : asksFirst(input))
    return askedOnPage(call, action, pressedButton(input, pageButtons(page), action), error)
  if (error) throw error
  const { value, fields } = await actionInput(action, call)
  await checkRelations({ ...call, store: realm.store }, realm.store, fields, action.fields)
  return { is: 'acted', answer: await actOnPage(call, action, value), back: panelText(input, '_back') }
}
