import type { Identity } from '../../auth/identity.js'
import { DaymarkError } from '../../base/errors.js'
import { shown } from '../../base/shown.js'
import { check } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { remembered } from '../../field/remembered.js'
import type { StandardSchema } from '../../field/standard-schema.js'
import { standardInput } from '../../field/wire-schema.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import { joinRepeaterRows } from '../body/repeater-rows.js'
import type { Call, Realm } from '../call/call.js'
import type { Body, Input } from '../call/input.js'
import { meets } from '../call/lens.js'
import { coerceTexts } from '../input/coerce-texts.js'
import { filterParameterNames, isFilterParameter } from '../input/filter-parameters.js'
import { formText } from '../input/form-text.js'
import { panelText } from '../input/panel-text.js'
import { isIdsName, isListName, type ReservedNames, selectsAll } from '../input/selected-ids.js'
import { checkReachable } from '../relation/check-reachable.js'

type Errors = Map<string, readonly string[]>
type Asking = Pick<Call, 'realm' | 'identity' | 'input' | 'wants'>

/** The validated input of an action. */
export interface CheckedInput {
  readonly value: unknown
  /** Stored values by field, whose relations are still to be looked up. */
  readonly fields: Record<string, unknown>
}

/**
 * Reads the input of an action, without the parameters that name the action and the records: from the query of a GET, else from the body.
 *
 * @throws DaymarkError `invalid` with every field that is wrong
 */
export async function actionInput(action: BoundAction, call: Asking): Promise<CheckedInput> {
  const { input } = call
  const errors: Errors = new Map()
  checkQuery(action, call, errors)
  const given = sentTo(action, input)
  const fields = await readFields(action, given, call, errors)
  throwAny(errors)
  if (!action.input) return { value: fields, fields }
  const value = await bySchema(
    action.input,
    action.fields.size > 0 ? fields : isText(action, input.body) ? ofTexts(given, action.input) : Object.fromEntries(given),
    errors,
  )
  throwAny(errors)
  return { value, fields }
}

/** The fields that this caller may fill in. To them, any other is as if it were not declared: it has its default, or null. */
export function inputFields({ fields }: BoundAction, identity: Identity): ReadonlyMap<string, Bound> {
  const isAsked = (field: Bound) => !field.readOnly && meets(field.visible, identity) && meets(field.editable, identity)
  return new Map([...fields].filter(([, field]) => isAsked(field)))
}

/** The text of each field as a form sent it. Fields that it did not send are missing. */
export function sentTexts(fields: ReadonlyMap<string, Bound>, body: Body): ReadonlyMap<string, string> {
  if (body.from !== 'form') return new Map()
  const given = joinRepeaterRows(body.fields, fields)
  return new Map(
    [...fields.values()].flatMap((field) =>
      given.has(field.key) ? [[field.key, formText(field, given.get(field.key) ?? [])] as const] : [],
    ),
  )
}

function sentTo(action: BoundAction, { query, body }: Input): ReadonlyMap<string, unknown> {
  const taken = inputNames(action)
  const own = (name: string) => action.fields.has(name) || (!name.startsWith('_') && !isIdsName(name))
  // A GET for selected records comes as a form.
  if (action.method === 'GET' && body.from !== 'form')
    return new Map(
      [...query].filter(([name]) => own(name) && name !== 'handlerUri' && name !== 'method' && (taken.has(name) || !isListName(name))),
    )
  if (body.from === 'none') return new Map()
  // The form around a list also sends the list's filters, whether or not it means all records.
  const listed = selectsAll({ query, body }) || panelText({ body }, '_total') !== ''
  const given: ReadonlyMap<string, unknown> = body.from === 'form' ? joinRepeaterRows(body.fields, action.fields) : body.fields
  return new Map([...given].filter(([name]) => own(name) && (taken.has(name) || !listed || !isListName(name))))
}

/** The names that an action asks for: those of its fields, or of its schema, as far as that says them. */
export function inputNames({ fields, input }: BoundAction): ReservedNames {
  return fields.size > 0 || !input ? fields : new Set(Object.keys(objectOf(input)?.properties ?? {}))
}

/**
 * With a body, an action reads nothing further from the query, so programs get an error for anything else there: a filter without `_all`
 * would silently narrow nothing.
 */
function checkQuery({ method }: BoundAction, { input: { query, body }, realm: { t }, wants }: Asking, errors: Errors): void {
  if (!wants.strict || (method === 'GET' && body.from !== 'form')) return
  const all = selectsAll({ query, body })
  const names = `ids[], _all, _total, _list, ${filterParameterNames}`
  for (const name of query.keys())
    if (!name.startsWith('_') && name !== 'handlerUri' && name !== 'method' && !isIdsName(name) && !(all && isListName(name)))
      errors.set(name, [t('query.unknown', { name, names })])
}

async function readFields(
  action: BoundAction,
  given: ReadonlyMap<string, unknown>,
  call: Asking,
  errors: Errors,
): Promise<Record<string, unknown>> {
  const { realm, identity, input } = call
  const { t } = realm
  const values: Record<string, unknown> = {}
  const fields = inputFields(action, identity)
  if (!action.input || action.fields.size > 0)
    for (const name of given.keys()) if (!fields.has(name)) errors.set(name, [unknownText(action, name, call)])
  for (const field of changedOf(action, given, call, errors)) {
    if (!fields.has(field.key)) {
      values[field.key] = field.default ?? null
      continue
    }
    const sent = given.get(field.key)
    const wire = sent === undefined ? null : wireOf(field, sent, isText(action, input.body), realm)
    // A record has a value already, so what it began with is nothing to go back to.
    if (wire === null && sent === undefined && field.hasDefault && !action.changes) {
      values[field.key] = field.default
      continue
    }
    const checked = checkReachable(call, field, await check(field, wire, t))
    if (checked.ok) values[field.key] = checked.value
    else errors.set(field.key, checked.texts)
  }
  return values
}

/** What is said of a name that an action does not ask for. What looks as if it narrowed the selection would narrow nothing. */
function unknownText(action: BoundAction, name: string, { realm: { t }, identity, input }: Omit<Asking, 'wants'>): string {
  const isSelecting = action.needsSelection || selectsAll(input)
  if (isSelecting && (name === 'filter' || isFilterParameter(name))) return t('ids.filter', { name: shown(name) })
  return t('field.unknown', { name: shown(name), names: [...inputFields(action, identity).keys()].join(', ') || '–' })
}

/**
 * The fields whose values an action takes: all, or those that are named, if it changes records. JSON names them by their values, a form in
 * `_change`, since it sends all of its controls.
 */
function changedOf(action: BoundAction, given: ReadonlyMap<string, unknown>, { identity, input, realm }: Asking, errors: Errors) {
  if (!action.changes) return [...action.fields.values()]
  const asked = inputFields(action, identity)
  const names = [...asked.keys()].join(', ')
  const named = new Set(input.body.from === 'form' ? pickedFields(input.body) : given.keys())
  for (const name of named) if (!asked.has(name)) errors.set(name, [unknownText(action, name, { realm, identity, input })])
  const labels = () => [...asked.values()].map(({ label }) => label).join(', ')
  if (named.size === 0) errors.set('input', [realm.t('massUpdate.none', { names: input.body.from === 'form' ? labels() : names })])
  return [...asked.values()].filter(({ key }) => named.has(key))
}

/** The fields that a form says are to be changed. */
export function pickedFields(body: Body): readonly string[] {
  return (body.from === 'form' && body.panel.get('_change')) || []
}

function wireOf(field: Bound, sent: unknown, asText: boolean, realm: Realm): unknown {
  if (!asText) return sent
  const text = formText(field, sent as readonly string[])
  return text === '' && field.nullable ? null : field.kind.read(text, field, realm)
}

async function bySchema(schema: StandardSchema, value: unknown, errors: Errors): Promise<unknown> {
  const result = await schema['~standard'].validate(value)
  if (!result.issues) return result.value
  for (const { message, path } of result.issues) {
    const first: unknown = Array.isArray(path) ? path[0] : undefined
    const name = String(typeof first === 'object' && first !== null && 'key' in first ? first.key : (first ?? 'input'))
    errors.set(name, [...(errors.get(name) ?? []), message])
  }
  return null
}

/** The texts of a query or a form as the schema has them, and so the document. */
function ofTexts(given: ReadonlyMap<string, unknown>, schema: StandardSchema): Record<string, unknown> {
  const known = new Map(Object.entries(objectOf(schema)?.properties ?? {}))
  return Object.fromEntries([...given].map(([name, texts]) => [name, coerceTexts(texts as readonly string[], known.get(name))]))
}

const objectOf = remembered(standardInput)

function isText({ method }: BoundAction, { from }: Body): boolean {
  return method === 'GET' || from === 'form'
}

function throwAny(errors: Errors): void {
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
}
