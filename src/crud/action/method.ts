import type { DaymarkError } from '../../base/errors.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import { permits } from '../../resource/action/policy.js'
import { type Page, pageButtons } from '../../resource/pages/own-page.js'
import type { Reads } from '../../store/store.js'
import { checkRelations } from '../body/check-relations.js'
import type { Call, PageCall } from '../call/call.js'
import { fileRepeats, runActionOnce } from '../input/idempotent.js'
import { panelText } from '../input/panel-text.js'
import { pressedButton } from '../input/pressed-button.js'
import type { Outcome } from '../outcomes/outcome.js'
import { allowPage, panelPage } from '../pages/own-page.js'
import { resourcePage } from '../pages/page.js'
import { findSelected, type SelectedRecords, selectionOf } from '../query/selection.js'
import { actionForm, pageMethodForm, requestsForm } from './form.js'
import { resourceOfGoneRecord } from './gone-record.js'
import { actionInput, inputNames } from './input.js'
import { allowedAction, namedAction, requestedName, runAction, runPageMethod } from './run.js'

/** A method that the caller may run, and where it is declared. */
type Meant =
  | { readonly of: 'resource'; readonly own: Call; readonly action: BoundAction }
  | { readonly of: 'page'; readonly page: Page; readonly action: BoundAction }

/** Runs a declared method: of a page, or of a resource by one of its pages. Each page has its own policy. Nothing else can be called. */
export async function method(call: PageCall): Promise<Outcome> {
  const meant = meantMethod(call)
  if (requestsForm(call.input)) return form(call, meant, null)
  const { action } = meant
  const { value, fields } = await actionInput(action, call)
  const within = meant.of === 'resource' ? meant.own : { ...call, store: call.realm.store }
  await checkRelations(within, within.store, fields, action.fields)
  const run = () =>
    meant.of === 'resource'
      ? runAction(meant.own, action, (reads) => found(meant.own, action, reads), value)
      : runPageMethod(call, action, value)
  const name = meant.of === 'resource' ? meant.own.resource.uriKey : meant.page.uri
  const answer = await runActionOnce(call, [meant.of, name], action, run, fileRepeats)
  const gone = meant.of === 'resource' ? await resourceOfGoneRecord(meant.own, action) : null
  return { is: 'acted', answer, back: panelText(call.input, '_back'), gone }
}

async function found(own: Call, action: BoundAction, reads: Reads): Promise<SelectedRecords> {
  return findSelected(own, reads, await selectionOf(own, reads, inputNames(action)), action)
}

/** Renders the form of a method again, after a refusal. */
export async function methodAgain(call: PageCall, error: DaymarkError): Promise<Outcome> {
  const meant = meantMethod(call)
  // A form without fields has no place to show what was wrong.
  if (meant.action.fields.size === 0) throw error
  return form(call, meant, error)
}

async function form(call: PageCall, meant: Meant, error: DaymarkError | null): Promise<Outcome> {
  const { action } = meant
  return meant.of === 'resource'
    ? actionForm(meant.own, action, await selectionOf(meant.own, meant.own.store, inputNames(action)), error)
    : pageMethodForm(call, action, pressedButton(call.input, pageButtons(meant.page), action), error)
}

/** Finds the requested method by a page that the caller may see. */
function meantMethod(call: PageCall): Meant {
  const { resource, pageUri, realm, identity } = call
  const name = requestedName(call, 'method')
  const ofPage = (page: Page): Meant => {
    const action = namedAction(call, page.methods, name, ({ can }) => can === null || permits(can, identity))
    return { of: 'page', page, action }
  }
  if (!resource) {
    const page = panelPage(call)
    allowPage(call, page, { resource })
    return ofPage(page)
  }
  const { part: _, ...rest } = call
  const own: Call = { ...rest, resource, store: realm.storeOf(resource) }
  const found = resourcePage(own, pageUri)
  if (!('type' in found)) {
    allowPage(call, found, { resource })
    if (found.methods.has(name)) return ofPage(found)
  }
  return { of: 'resource', own, action: allowedAction(own, resource.methods, name) }
}
