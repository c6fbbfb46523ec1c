import type { Answered, Outcome } from '../crud/outcomes/outcome.js'
import type { RequestContext } from './request-context.js'

/**
 * What a verb returned. Plugins written in JavaScript may return anything.
 *
 * @throws TypeError for what is no Outcome
 */
export function checkOutcome(context: RequestContext, outcome: Outcome): Outcome {
  const fault = faultOf(context, outcome)
  if (fault === null) return outcome
  throw new TypeError(`The verb "${context.around.route?.verb}" returned ${fault}: return { is: 'answered', data: { … } }`)
}

/** Why it is no Outcome. It goes into the log, so of a value, which may be secret, it says the type alone. */
function faultOf({ face }: RequestContext, outcome: unknown): string | null {
  const { is, data } = Object(outcome) as Partial<Answered>
  if (is === undefined) return `no Outcome (${typeOf(outcome)})`
  if (!Object.hasOwn(face.present, is)) return `no Outcome (is: "${is}")`
  return is === 'answered' && Object(data) !== data ? `data that is no object (${typeOf(data)})` : null
}

function typeOf(one: unknown): string {
  return one === null ? 'null' : typeof one
}
