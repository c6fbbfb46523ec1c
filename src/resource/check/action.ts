import { iconFault } from '../../base/icon-paths.js'
import type { BoundAction } from '../action/bind-action.js'
import { list, type Say } from '../problem.js'
import type { Resource } from '../resource.js'

/** What is wrong with the handlers, methods and buttons of a resource. */
export function checkActions({ handlers, methods, indexButtons, buttons }: Resource, say: Say): void {
  for (const [at, all] of Object.entries({ handlers, methods })) {
    for (const [uri, action] of all) if (!action.changes) checkAction(`${at}.${uri}`, action, say)
  }
  for (const [at, all] of Object.entries({ indexButtons, buttons })) {
    for (const button of all) {
      checkButton(at, button, { handlers, methods }, say)
      if ('bulk' in button && button.bulk && button.handler === undefined)
        say('button-bulk', at, `"${button.label}" acts on the selected rows, so it must name a handler`)
    }
  }
}

/** What is wrong with a handler or a method. */
export function checkAction(at: string, { method, safe, long, transaction, fields }: BoundAction, say: Say): void {
  if (method === 'GET' && !safe) say('handler-safe', at, 'a GET action must declare `safe: true`: it gets a store that only reads')
  if (long && (method === 'GET' || !transaction))
    say('handler-long', at, 'a long handler writes in batches, each in a transaction: it is neither a GET nor `transaction: false`')
  for (const key of fields.keys())
    if (key.startsWith('_') || reservedInputs.has(key))
      say('handler-field', `${at}.fields.${key}`, 'the panel itself uses this name; choose another one')
  for (const [key, { kind }] of fields)
    if (kind.file)
      say('handler-file', `${at}.fields.${key}`, 'an action has no record that could take a file; let users set the field of the record')
  for (const [key, { own }] of fields)
    if (own.fills !== undefined) say('relation-fills', `${at}.fields.${key}.fills`, 'an action has no record whose fields could be filled')
  for (const [key, { required, hasDefault, readOnly, visible, editable }] of fields)
    if (required && !hasDefault && (readOnly || visible !== true || editable !== true))
      say('handler-unasked', `${at}.fields.${key}`, 'it is required, but not everybody is asked for it: give it a `default`')
}

/** What is wrong with a button that may use these actions. */
export function checkButton(
  at: string,
  { label, icon, handler, method, href, event, confirm }: ButtonFacts,
  { handlers, methods }: Actions,
  say: Say,
): void {
  const fault = icon === undefined ? null : iconFault(icon)
  if (fault !== null) say('icon', at, fault)
  if (handler !== undefined && !handlers.has(handler))
    say('button-handler', at, `"${label}" names the handler "${handler}". Valid: ${list(handlers.keys())}`)
  if (method !== undefined && !methods.has(method))
    say('button-method', at, `"${label}" names the method "${method}". Valid: ${list(methods.keys())}`)
  if ([handler, method, href, event].filter((one) => one !== undefined).length !== 1)
    say('button-does', at, `"${label}" must do one thing: name a handler, a method, an href or an event`)
  const action = handler === undefined ? methods.get(method ?? '') : handlers.get(handler)
  if (action?.method === 'GET' && (action.fields.size > 0 || confirm !== undefined || action.confirm !== null))
    say('button-get', at, `"${label}" names a GET, which acts at once: it cannot ask for input or confirmation first`)
}

interface ButtonFacts {
  readonly label: string
  readonly icon?: string | undefined
  readonly handler?: string | undefined
  readonly method?: string | undefined
  readonly href?: string | undefined
  readonly event?: string | undefined
  readonly confirm?: string | undefined
}

interface Actions {
  readonly handlers: ReadonlyMap<string, BoundAction>
  readonly methods: ReadonlyMap<string, BoundAction>
}

// Names in a request that select the action and its records.
export const reservedInputs = new Set(['ids', 'handlerUri', 'method'])
