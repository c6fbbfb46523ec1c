import { DaymarkError } from '../base/errors.js'
import type { Call } from '../crud/call/call.js'
import type { Body } from '../crud/call/input.js'
import type { Outcome } from '../crud/outcomes/outcome.js'
import type { Redraw, Verb } from '../crud/verbs.js'
import type { RequestContext } from './request-context.js'

type ResourceVerb = Extract<Verb, { on: 'resource' }>

const redrawn = new Set(['invalid', 'stale', 'conflict'])

/** Runs a resource verb. If an HTML form is refused, the page is shown again with what was typed. */
export function orRedrawn(verb: ResourceVerb, call: Call, page: boolean): Promise<Outcome> {
  const redraw = page && call.input.body.from === 'form' ? verb.redraw : undefined
  if (!redraw) return verb.run(call)
  return redraw.instead?.(call) ? redraw.again(call, null) : redrawing(redraw, verb, call)
}

async function redrawing(redraw: Redraw, verb: ResourceVerb, call: Call): Promise<Outcome> {
  try {
    return await verb.run(call)
  } catch (thrown) {
    if (thrown instanceof DaymarkError && (redrawn.has(thrown.code) || lacksSelected(thrown) || deniesPart(thrown)))
      return redraw.again(call, thrown)
    throw thrown
  }
}

/** Of several records, some may still be there. */
const lacksSelected = ({ code, errors }: DaymarkError) => code === 'notFound' && errors.has('ids')

/** Of a record with its related ones, the user may not write one; in place of the form, nobody could say which. */
const deniesPart = ({ code, errors }: DaymarkError) => code === 'forbidden' && errors.size > 0

const shownAgain = new Set(['invalid', 'unauthenticated', 'throttled'])

/** A verb that is no resource's, and may show its page again. */
interface Again<C> {
  run(call: C): Promise<Outcome>
  again?(call: C, error: DaymarkError): Promise<Outcome>
  readonly byLink?: true
}

/** Runs another verb. If an HTML form is refused, or a link where `byLink`, its page is shown again. */
export async function orAgain<C>({ face }: RequestContext, body: Body, verb: Again<C>, call: C): Promise<Outcome> {
  const byLink = verb.byLink === true
  if (!verb.again || face.name !== 'html' || (body.from !== 'form' && !byLink)) return verb.run(call)
  try {
    return await verb.run(call)
  } catch (thrown) {
    // Whoever comes back from elsewhere has no page to look at meanwhile.
    const isShown = thrown instanceof DaymarkError && (shownAgain.has(thrown.code) || (byLink && thrown.code === 'unavailable'))
    if (isShown) return verb.again(call, thrown)
    throw thrown
  }
}
