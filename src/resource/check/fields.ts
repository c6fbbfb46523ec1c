import { inspect } from 'node:util'
import { parseValue } from '../../field/check.js'
import { isCurrency } from '../../field/currency.js'
import { takesDefault } from '../../field/default-value.js'
import type { Bound, Field } from '../../field/field.js'
import { nextValues } from '../../field/next-values.js'
import { isDigits } from '../../field/number-text.js'
import { wrongOf } from '../../field/taking.js'
import { unitFault } from '../../field/unit.js'
import { condition, isAlways, othersIn, type Where } from '../condition/condition.js'
import { linkOf } from '../model/link.js'
import { storedIn, type Tally } from '../model/model.js'
import { list, type Say } from '../problem.js'
import { reached } from '../relation/reach.js'
import type { Resource } from '../resource.js'
import { tallyOf } from '../tally.js'

/** What is wrong with the fields of a resource. */
export function checkFields(resource: Resource, say: Say): void {
  const { written, model, fields, ownStore } = resource
  const stored = storedIn(model)
  for (const key of Object.keys((written.fields as object | undefined) ?? {})) {
    const field = (written.fields as Record<string, Field>)[key] as Field
    const link = linkOf(model, key, field)
    const tally = tallyOf(model, key, field)
    if (typeof tally === 'string') say('tally', `fields.${key}`, tally)
    else if (tally && ownStore) say('tally', `fields.${key}`, 'a store of your own tells nothing of related records')
    else if (tally?.where) checkReached(resource, tally, (text) => say('tally', `fields.${key}`, `.where(): ${text}`))
    else if (typeof link === 'string') say('link', `fields.${key}`, link)
    else if (link && ownStore) say('link', `fields.${key}`, 'a store of your own has no link tables')
    else if (!model.columns.has(key)) say('field-column', `fields.${key}`, `"${key}" is not a column. Valid: ${list(stored)}`)
  }
  // Derived ones, too: a form would never write them.
  for (const key of fields.keys())
    if (key.startsWith('_'))
      say(
        'field-name',
        `fields.${key}`,
        'names that begin with _ are reserved for the panel; rename the key in the schema, or declare `fields` without it',
      )
  for (const field of fields.values()) {
    if (!field.kind.columns.includes(field.column.type)) {
      say(
        'field-kind',
        `fields.${field.key}`,
        `the kind "${field.kind.name}" needs a column of type ${list(field.kind.columns)}, but this one is ${field.column.type}`,
      )
    } else checkOptions(`fields.${field.key}`, field, say)
    const preset: unknown = model.columns.get(field.key)?.drizzle.default
    const usual = field.default ?? preset ?? null
    if (typeof usual !== 'object' && nextValues(field, null, null)?.includes(usual) === false)
      say('field-methods', `fields.${field.key}`, `no record may begin with its default, ${inspect(usual)}`)
    if (typeof preset === 'string' && preset.startsWith('sql`'))
      say(
        'column-default',
        `fields.${field.key}`,
        `new records would begin with the text ${JSON.stringify(preset)}: drizzle-kit pull has put quotes around an expression; in the schema, write .default(${preset})`,
      )
  }
  checkGates(resource, say)
  checkShown(resource, say)
}

/** What is wrong with its computed values. */
export function checkComputed({ computed, model }: Resource, say: Say): void {
  for (const [key, one] of computed) {
    const { needs, decimals, currency, minor } = one
    if (decimals !== undefined && !isDigits(decimals))
      say('computed-decimals', `computed.${key}.decimals`, `${decimals} is not a number of digits from 0 to 20`)
    if (currency !== undefined && !isCurrency(currency))
      say('computed-currency', `computed.${key}.currency`, `${JSON.stringify(currency)} is no code of a currency, such as "EUR"`)
    if (minor && currency === undefined)
      say('computed-currency', `computed.${key}.minor`, 'it needs a `currency`, whose smallest unit it means')
    const fault = unitFault(one)
    if (fault !== null) say('computed-unit', `computed.${key}.unit`, fault)
    if (model.columns.has(key)) say('computed-name', `computed.${key}`, 'a column has this name; choose another one')
    for (const need of needs)
      if (!model.columns.has(need))
        say('computed-needs', `computed.${key}.needs`, `"${need}" is not a column. Valid: ${list(model.columns.keys())}`)
  }
}

/** The tables that the condition of a number of related records compares with are in the same database, too. */
function checkReached(resource: Resource, { where, model }: Tally, say: (text: string) => void): void {
  try {
    reached(resource, condition(where as Where<unknown>, model.columns, 'UTC'))
  } catch (thrown) {
    say((thrown as Error).message)
  }
}

/** What is wrong with what the methods of a field were given, also of one that an action asks for. */
export function checkOptions(at: string, field: Bound, say: Say): void {
  const wrong = [field, ...(field.kind.rows?.parts(field).values() ?? [])].flatMap(({ own }) => wrongOf(own))
  for (const text of wrong) say('field-methods', at, text)
  if (wrong.length > 0) return
  const fault = field.kind.fault(field)
  if (fault !== null) say('field-methods', at, fault)
  else if (!takesDefault(field)) say('field-methods', at, `the field rejects its own default, ${inspect(field.default)}`)
}

/** Checks `editableWhen`: it is judged by the record alone. */
function checkGates({ fields, model }: Resource, say: Say): void {
  for (const { key, editableWhen } of fields.values()) {
    if (editableWhen === null) continue
    const at = `fields.${key}.editableWhen`
    try {
      const met = condition(editableWhen.where as Where<unknown>, model.columns, 'UTC')
      if (isAlways(met)) say('editable-when', at, 'it has no condition: without it, every record can be changed')
      for (const { name } of othersIn(met))
        say('editable-when', at, `valuesOf("${name}"): it is judged by the record alone, whatever other tables have`)
    } catch (thrown) {
      say('editable-when', at, (thrown as Error).message)
    }
  }
}

/** Checks `showWhen`: the other field must be in the form and be able to have the values. */
function checkShown({ fields, pages }: Resource, say: Say): void {
  for (const field of fields.values()) {
    if (!field.showWhen) continue
    const at = `fields.${field.key}.showWhen`
    const { field: name, texts } = field.showWhen
    const source = pages.form.includes(name) && name !== field.key ? fields.get(name) : undefined
    const others = pages.form.filter((one) => one !== field.key && fields.has(one))
    if (!source) say('show-when', at, `"${name}" is not another field of the form. Valid: ${list(others)}`)
    if (source?.kind.rows) say('show-when', at, `"${name}" has rows, and no value of its own`)
    // One of several values is sent in a list.
    const typed = (text: string) => (source?.kind.many(source) ? JSON.stringify([text]) : text)
    const wrong = source && texts.find((text) => !parseValue(source, source.kind.read(typed(text), source, { timeZone: 'UTC' })))
    if (wrong !== undefined) say('show-when', at, `${name} can never be "${wrong}"`)
    if (field.required)
      say('show-when', at, 'a required field could not be saved while the form hides it; make it optional and require it in `validate`')
  }
}
