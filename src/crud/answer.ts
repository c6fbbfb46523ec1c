import { Html, html } from '../base/html.js'
import type { Answer } from '../resource/action.js'
import type { BoundAction } from '../resource/bind-action.js'

/**
 * What an action gave, as an answer.
 *
 * @throws TypeError for what is none, and for a redirect that its declaration does not allow: a mistake in the action, which takes back what it wrote
 */
export function answerOf({ uri, redirectsTo }: BoundAction, given: unknown): Answer {
  if (given === undefined || given === null) return {}
  if (typeof given === 'string') return { message: given }
  if (typeof given !== 'object' || Array.isArray(given)) throw new TypeError(`The action "${uri}" gave what is no answer`)
  const answer = given as Answer
  if (answer.redirect !== undefined && !mayRedirect(answer.redirect, redirectsTo))
    throw new TypeError(`The action "${uri}" redirects to another origin, which it does not name in redirectsTo`)
  return answer
}

/** A path of this host, however it is spelled, or an address at a declared origin. */
function mayRedirect(to: string, origins: readonly string[]): boolean {
  if (/[\\\u0000-\u0020\u007f]/.test(to)) return false
  if (/^\/(?!\/)/.test(to)) return true
  return URL.canParse(to) && /^https?:$/.test(new URL(to).protocol) && origins.includes(new URL(to).origin)
}

type Markup = NonNullable<Answer['html']>

/** Markup of an answer as text: one, or by the id of an element. */
export function htmlText(given: Markup): string | Record<string, string> {
  return isOne(given) ? text(given) : Object.fromEntries(Object.entries(given).map(([id, one]) => [id, text(one)]))
}

/** Markup of an answer, one after the other. */
export function htmlParts(given: Markup): readonly Html[] {
  return isOne(given) ? [given] : Object.values(given)
}

function isOne(given: Markup): given is Html {
  return given instanceof Html || typeof given === 'string'
}

// What is no markup is text, whatever its types said.
function text(one: Html): string {
  return String(html`${one}`)
}
