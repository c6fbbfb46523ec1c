import { type DaymarkError, invalid } from '../base/errors.js'
import type { Answer } from '../resource/action.js'
import type { BoundAction } from '../resource/bind-action.js'
import type { Reads } from '../store/store.js'
import { act, actionOf, meantName } from './act.js'
import { actionInput } from './action-input.js'
import { asked, asksFirst } from './ask.js'
import { startBatches } from './batches.js'
import type { Call } from './call.js'
import { checkRelations } from './commit.js'
import { selected, selectionOf } from './ids.js'
import type { Again } from './once.js'
import type { Outcome } from './outcome.js'
import { panelText } from './panel-text.js'
import { sentMark } from './sent-mark.js'

/** Runs a handler of a resource over the selected records: `?handlerUri=`, or the name in the path. */
export async function handler(call: Call): Promise<Outcome> {
  const action = handlerOf(call)
  const select = async (reads: Reads) => {
    const selection = await selectionOf(call, reads, action.fields)
    if (action.needsSelection && selection.is === 'ids' && selection.keys.length === 0) throw invalid('ids', call.realm.t('ids.none'))
    return selection
  }
  const { value, fields } = await actionInput(action, call)
  await checkRelations(call, call.store, fields, action.fields)
  const once = panelText(call.input, '_once')
  if (action.long) {
    const selection = await select(call.store)
    // Whether it may at all is said at once, not by a job that fails.
    if (selection.is === 'ids' || call.resource.canRecord[action.ability])
      for await (const _ of selected(call, call.store, selection, action.ability));
    const start = () => startBatches(call, action, selection, value)
    return { is: 'job', job: await onlyOnce(call, action, once, start, {}), started: true }
  }
  return {
    is: 'acted',
    answer: await onlyOnce(call, action, once, () => act(call, action, select, value), ofFiles),
    back: panelText(call.input, '_back'),
  }
}

/** Whether the form of a handler is to be shown rather than run. */
export function asksHandler(call: Call): boolean {
  return asksFirst(call.input)
}

/** The form of a handler; after a refusal with what was typed. */
export async function handlerForm(call: Call, error: DaymarkError | null): Promise<Outcome> {
  const action = handlerOf(call)
  // A page that asks nothing has nowhere to say what was wrong.
  if (error && action.fields.size === 0) throw error
  return asked(call, action, await selectionOf(call, call.store, action.fields), error)
}

function handlerOf(call: Call): BoundAction {
  return actionOf(call, call.resource.handlers, meantName(call, 'handlerUri'))
}

/** A file may be large, and one that is made as it is sent is there once. */
const ofFiles: Omit<Again<Answer>, 'said'> = {
  shares: ({ download }) => download === undefined || typeof download.body === 'string' || download.body instanceof Uint8Array,
  keeps: ({ download }) => download === undefined,
}

/** A form that is sent twice acts once. */
function onlyOnce<T>(
  { realm, identity, resource, input }: Call,
  { uri }: BoundAction,
  key: string,
  run: () => Promise<T>,
  again: Omit<Again<T>, 'said'>,
): Promise<T> {
  if (key === '') return run()
  return realm.once.run(JSON.stringify([identity.id, resource.uriKey, 'action', uri, key]), sentMark(input.body), run, {
    ...again,
    said: () => realm.t('action.doneBefore'),
  })
}
