import { Html, html } from '../../base/html.js'
import type { Answer } from '../../resource/action/action.js'
import type { BoundAction } from '../../resource/action/bind-action.js'

/**
 * Checks and normalizes what an action returned. Its errors are bugs in the action, and roll back what it wrote.
 *
 * @throws TypeError if it is not an answer, or redirects to an origin that its declaration does not allow
 */
export function answerOf({ uri, redirectsTo }: BoundAction, given: unknown): Answer {
  if (given === undefined || given === null) return {}
  if (typeof given === 'string') return { message: given }
  if (typeof given !== 'object' || Array.isArray(given)) throw new TypeError(`The action "${uri}" gave what is no answer`)
  const answer = given as Answer
  if (answer.redirect !== undefined && !mayRedirect(answer.redirect, redirectsTo))
    throw new TypeError(`The action "${uri}" redirects to another origin, which it does not name in redirectsTo`)
  const said = Object.entries(answer).filter(([, one]) => one !== undefined && one !== null)
  for (const [name, one] of said)
    if (!checks[name as keyof Answer]?.(one)) throw new TypeError(`The action "${uri}" gave a wrong \`${name}\``)
  return Object.fromEntries(said)
}

// What would otherwise be found out once all is committed.
const checks: { readonly [K in keyof Answer]-?: (given: unknown) => boolean } = {
  message: (given) => typeof given === 'string',
  // Where to has been checked.
  redirect: (given) => typeof given === 'string',
  html: (given) => isMarkup(given) || (isObject(given) && Object.values(given).every(isMarkup)),
  download: (given) => isObject(given) && typeof given.name === 'string' && typeof given.type === 'string' && isContent(given.body),
  messageType: (given) => ['success', 'info', 'warning', 'error'].includes(given as string),
  events: (given) => Array.isArray(given) && given.every((event) => typeof event === 'string'),
  fieldsValues: (given) => isObject(given) && isJson(given),
}

const isMarkup = (given: unknown) => given instanceof Html
const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
const isContent = (given: unknown) =>
  typeof given === 'string' ||
  given instanceof Uint8Array ||
  (isObject(given) && typeof given[Symbol.asyncIterator as never] === 'function')

function isJson(given: unknown): boolean {
  try {
    return JSON.stringify(given) !== undefined
  } catch {
    return false
  }
}

/**
 * A path on this host, or a URL at a declared origin. Browsers read `\` as `/` and drop tabs and line ends, so neither those nor other
 * control characters may occur.
 */
function mayRedirect(to: string, origins: readonly string[]): boolean {
  if (/[\\\u0000-\u0020\u007f]/.test(to)) return false
  if (/^\/(?!\/)/.test(to)) return true
  return URL.canParse(to) && /^https?:$/.test(new URL(to).protocol) && origins.includes(new URL(to).origin)
}

type Markup = NonNullable<Answer['html']>

/** The markup of an answer as text: a single one, or one per element id. */
export function htmlText(given: Markup): string | Record<string, string> {
  return isOne(given) ? text(given) : Object.fromEntries(Object.entries(given).map(([id, one]) => [id, text(one)]))
}

/** The pieces of markup in an answer. */
export function htmlParts(given: Markup): readonly Html[] {
  return isOne(given) ? [given] : Object.values(given)
}

function isOne(given: Markup): given is Html {
  return given instanceof Html || typeof given === 'string'
}

// A value that is not `Html` is escaped as text, whatever its type claims.
function text(one: Html): string {
  return String(html`${one}`)
}
