import type { DaymarkError } from '../../base/errors.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import type { Reads } from '../../store/store.js'
import { checkRelations } from '../body/check-relations.js'
import type { Call } from '../call/call.js'
import { fileRepeats, runActionOnce } from '../input/idempotent.js'
import { panelParameter, panelText } from '../input/panel-text.js'
import { checkAll, namedKeys, noneSelectedError, selectsAll } from '../input/selected-ids.js'
import type { Outcome } from '../outcomes/outcome.js'
import { findSelected, remainingSelection, type Selection, selectionOf } from '../query/selection.js'
import { startBatches } from './batches.js'
import { actionForm, requestsForm } from './form.js'
import { resourceOfGoneRecord } from './gone-record.js'
import { actionInput, inputNames } from './input.js'
import { allowedAction, requestedName, runAction } from './run.js'

/** Runs a resource's handler over the selected records. Its name is in the path or in `?handlerUri=`. */
export async function handler(call: Call): Promise<Outcome> {
  if (requestsForm(call.input)) return handlerForm(call, null)
  const action = handlerOf(call)
  checkNamed(call, action)
  const select = async (reads: Reads) => {
    const selection = await selectionOf(call, reads, inputNames(action))
    checkSome(call, action, selection)
    return findSelected(call, reads, selection, action)
  }
  const { value, fields } = await actionInput(action, call)
  await checkRelations(call, call.store, fields, action.fields, action.changes ? 'several' : null)
  const of = ['handler', call.resource.uriKey] as const
  if (action.long || (action.changes && isMany(call))) {
    const selected = await select(call.store)
    const start = () => startBatches(call, action, selected, value)
    return { is: 'job', job: await runActionOnce(call, of, action, start), started: true }
  }
  const answer = await runActionOnce(call, of, action, () => runAction(call, action, select, value), fileRepeats)
  return { is: 'acted', answer, back: panelText(call.input, '_back'), gone: await resourceOfGoneRecord(call, action) }
}

/** The form of a handler. After a refusal, it holds what the user typed, for the records that are selected by then. */
export async function handlerForm(call: Call, error: DaymarkError | null): Promise<Outcome> {
  const action = handlerOf(call)
  // A form without fields has no place to show what was wrong.
  if (error && action.fields.size === 0) throw error
  checkNamed(call, action)
  const taken = inputNames(action)
  const selection = error ? await remainingSelection(call, action, taken) : await selectionOf(call, call.store, taken)
  // With none of them left, it would be the form of another action.
  if (error && isNone(selection) && (action.needsSelection || (selection.is === 'ids' && !wasNone(call)))) throw error
  checkSome(call, action, selection)
  return actionForm(call, action, selection, error)
}

/** Checks that records are selected before anything else is asked for. */
function checkNamed(call: Call, action: BoundAction): void {
  checkAll(call)
  if (action.needsSelection && wasNone(call)) throw noneSelectedError(call)
}

function checkSome(call: Call, { needsSelection }: BoundAction, selection: Selection): void {
  if (needsSelection && isNone(selection)) throw noneSelectedError(call)
}

function handlerOf(call: Call): BoundAction {
  return allowedAction(call, call.resource.handlers, requestedName(call, 'handlerUri'))
}

/** Whether all of a list are meant, and they are more than one transaction should hold. Fewer are changed together or not at all. */
const isMany = ({ input, resource }: Call) => selectsAll(input) && Number(panelParameter(input, '_total')) > resource.maxMassDelete

const isNone = (selection: Selection) => (selection.is === 'ids' ? selection.keys.length : selection.total) === 0
const wasNone = (call: Call) => !selectsAll(call.input) && namedKeys(call).length === 0
