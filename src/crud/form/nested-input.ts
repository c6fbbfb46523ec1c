import type { Bound } from '../../field/field.js'
import { keyText } from '../../field/key.js'
import { lineFeeds } from '../../field/line-feeds.js'
import { formInitialValue } from '../body/initial-values.js'
import type { Call } from '../call/call.js'
import type { Body } from '../call/input.js'
import { formText } from '../input/form-text.js'
import { searchedField } from './control.js'
import { type Nested, nestedCall, nestedOf } from './nested.js'

/** What was sent for the related records of one list. */
export interface SentNested {
  readonly nested: Nested
  readonly rows: readonly SentRow[]
  /** What is wrong with the list as a whole; null: nothing. */
  readonly fault: string | null
}

/** What was sent for one related record. */
export interface SentRow {
  /** Where it was sent: `lines.0`. Errors carry it. */
  readonly at: string
  /** The key of the record that it changes, as text; null: it is a new one. */
  readonly key: string | null
  /** The same as JSON has it; `undefined`: a form sent it. */
  readonly named?: unknown
  /** Whether the record is to be deleted. */
  readonly isDeleted: boolean
  /** Whether the row counts only if something is filled in, since it was there to be. */
  readonly isSpare: boolean
  /** The texts that a form began with, by field; null: it did not say, or the row is of JSON. */
  readonly was: ReadonlyMap<string, string> | null
  /** The call that writes it. */
  readonly call: Call
}

/** Splits what was sent into what is the record's own, and what is of related records that are edited along with it. */
export function splitNested(call: Call): { readonly own: Call; readonly sent: readonly SentNested[] } {
  const { body } = call.input
  if (body.from === 'none') return { own: call, sent: [] }
  const lists = nestedOf(call)
  if (lists.size === 0) return { own: call, sent: [] }
  const rest = new Map<string, unknown>()
  const found = new Map<string, Map<string, Map<string, readonly string[]>> | { readonly value: unknown }>()
  for (const [name, given] of body.fields as ReadonlyMap<string, unknown>) {
    if (body.from === 'json' && lists.has(name)) found.set(name, { value: given })
    else {
      const [, list = '', row = '', last = ''] = (body.from === 'form' && /^([^.]+)\.(\d{1,6})\.([^.]+)$/.exec(name)) || []
      if (!lists.has(list)) rest.set(name, given)
      else {
        const rows = (found.get(list) as Map<string, Map<string, readonly string[]>> | undefined) ?? new Map()
        found.set(list, rows.set(row, (rows.get(row) ?? new Map()).set(last, given as readonly string[])))
      }
    }
  }
  const sent = [...found].flatMap(([name, given]) => {
    const nested = lists.get(name) as Nested
    return 'value' in given ? sentInJson(call, nested, given.value) : sentByForm(call, nested, given)
  })
  return { own: { ...call, input: { ...call.input, body: { ...body, fields: rest } as Body } }, sent }
}

const object = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function sentInJson(call: Call, nested: Nested, given: unknown): SentNested {
  const { t } = call.realm
  const fault = (text: string) => ({ nested, rows: [], fault: text })
  if (!Array.isArray(given) || !given.every(object)) return fault(t('nested.notRows', { name: nested.name }))
  if (given.length > nested.most) return fault(t('nested.tooMany', { label: nested.title, most: nested.most }))
  const key = nested.other.model.key.key
  const rows = given.map((row, i): SentRow => {
    const { _version: version, _delete: deletes, ...others } = row
    const named = others[key] ?? null
    const isNamed = typeof named === 'string' || typeof named === 'number'
    const fields = new Map(Object.entries(others).filter(([name]) => !(isNamed && name === key)))
    // What they are not is for the related record to refuse, by its name.
    if (version !== undefined && typeof version !== 'string') fields.set('_version', version)
    if (deletes !== undefined && typeof deletes !== 'boolean') fields.set('_delete', deletes)
    return {
      at: `${nested.name}.${i}`,
      key: isNamed ? keyText(named) : null,
      named,
      isDeleted: deletes === true,
      isSpare: false,
      was: null,
      call: nestedCall(call, nested, {
        key: isNamed ? keyText(named) : null,
        ifMatch: typeof version === 'string' ? [version] : null,
        body: { from: 'json', fields },
      }),
    }
  })
  return { nested, rows, fault: null }
}

function sentByForm(call: Call, nested: Nested, given: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>): SentNested {
  const { body } = call.input
  const panel = body.from === 'form' ? body.panel : new Map<string, readonly string[]>()
  const rows = [...given].flatMap(([number, texts]): SentRow[] => {
    const one = (name: string) => texts.get(name)?.at(-1) ?? ''
    const at = `${nested.name}.${number}`
    const key = one('_key') === '' ? null : one('_key')
    const fields = new Map([...texts].filter(([name]) => !name.startsWith('_')))
    const isSpare = key === null && one('_blank') !== ''
    const version = one('_version')
    const own = nestedCall(call, nested, {
      key,
      ifMatch: version === '' ? null : [version],
      body: { from: 'form', fields, panel: panelOf(panel, `${at}.`) },
    })
    if (key === null && one('_delete') !== '') return []
    if (isSpare && isBlank(nested, fields, call) && searchedField(own.input) === null) return []
    return [{ at, key, isDeleted: one('_delete') !== '', isSpare, was: wasOf(one('_was'), nested), call: own }]
  })
  return {
    nested,
    rows,
    fault: rows.length > nested.most ? call.realm.t('nested.tooMany', { label: nested.title, most: nested.most }) : null,
  }
}

/** Whether nobody has filled in a row that was there to be filled in. */
function isBlank({ other, fields }: Nested, texts: ReadonlyMap<string, readonly string[]>, { realm, identity }: Call): boolean {
  const isAsBegun = (field: Bound) => {
    const begun = formInitialValue(other.model, field, identity.roles)
    const text = begun === undefined || begun === null ? '' : field.kind.text(begun, field, realm)
    const now = formText(field, texts.get(field.key) ?? [])
    return now === text || (field.column.type === 'boolean' && now === '0' && text === '')
  }
  return fields.every((field) => !texts.has(field.key) || isAsBegun(field))
}

/** The texts that a row began with: one for each field, in their order. */
function wasOf(text: string, { fields }: Nested): SentRow['was'] {
  try {
    const texts: unknown = JSON.parse(text)
    if (!Array.isArray(texts) || texts.length !== fields.length || !texts.every((one) => typeof one === 'string')) return null
    return new Map(fields.map(({ key }, i) => [key, texts[i] as string]))
  } catch {
    return null
  }
}

/** Whether the user changed a text of a row; also if it does not say what it began with. */
export function isTouched({ was }: SentRow, name: string, text: string): boolean {
  const before = was?.get(name)
  return before === undefined || lineFeeds(before) !== text
}

/** How a row says what it began with, for `wasOf`. */
export const wasText = (texts: readonly string[]): string => JSON.stringify(texts)

/** Of the panel's own names, those that concern a row: its zone, and the search of its relations. */
function panelOf(panel: ReadonlyMap<string, readonly string[]>, within: string): ReadonlyMap<string, readonly string[]> {
  // A cleared field of a new record stays empty, whatever its default is, since the form began with that.
  const own = new Map<string, readonly string[]>([['_once', ['1']]])
  for (const [name, texts] of panel) {
    const [, asks = '', of = ''] = /^(_query|_asked)\[(.+)\]$/.exec(name) ?? []
    if (name === '_zone') own.set(name, texts)
    else if (of.startsWith(within)) own.set(`${asks}[${of.slice(within.length)}]`, texts)
    else if (name === '_search' && texts.at(-1)?.startsWith(within)) own.set(name, [texts.at(-1)?.slice(within.length) ?? ''])
    // A button was pressed, if not for this row: what is typed in its search is no question then.
    else if (name === '_search' || name === '_save' || name === '_then') own.set('_save', texts)
  }
  return own
}
