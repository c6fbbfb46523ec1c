import { DaymarkError } from '../base/errors.js'
import type { Body } from '../crud/call/input.js'
import type { Method } from '../route/routes.js'
import type { IncomingRequest } from './incoming.js'
import type { Match, Mounted } from './match.js'
import type { AppOptions } from './request-context.js'

/** The routes of a path that change something: a form may pick one of them by `_method`. */
export function unsafeRoutes({ methods }: Match): readonly Mounted[] {
  return [...methods].filter(([method, { verb }]) => method !== 'GET' && verb.on !== 'spelled').map(([, mounted]) => mounted)
}

/** The effective method: a form's `_method`, if it has one. */
export function methodOf({ method }: IncomingRequest, body: Body): Method {
  if (method === 'HEAD') return 'GET'
  return (overrideMethod(body) || method) as Method
}

function overrideMethod(body: Body): string {
  return (body.from === 'form' ? body.panel.get('_method')?.at(-1) : undefined)?.toUpperCase() ?? ''
}

/** The route a form means: `_method` picks one of the same path. */
export function overriddenRoute(found: Match, posted: Mounted, body: Body, options: AppOptions): Mounted {
  const method = overrideMethod(body)
  const meant = method === '' || method === 'POST' ? posted : found.methods.get(method)
  // Handlers and page methods declare their own HTTP method, which may be GET, and a form may send them the selected records.
  const itself = method === 'GET' && meant?.verb === posted.verb && posted.verb.on !== 'spelled'
  if (meant && (itself || unsafeRoutes(found).includes(meant))) return meant
  throw methodNotAllowed(found, posted, method || 'POST', options)
}

/** The error for a POST to a path where POST alone does nothing: the form must name a method. */
export function methodNotAllowed(found: Match, { verb }: Mounted, method: string, { realm }: AppOptions): DaymarkError {
  const { allow } = found
  const methods = [...found.methods].flatMap(([name, mounted]) => (unsafeRoutes(found).includes(mounted) ? [name] : [])).join(', ')
  const text = verb.on === 'spelled' ? realm.t('request.spelled', { methods }) : realm.t('request.method', { method, methods: allow })
  return new DaymarkError('methodNotAllowed', text, { headers: { allow } })
}
