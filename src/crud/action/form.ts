import { randomUUID } from 'node:crypto'
import type { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { keyText } from '../../field/key.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import type { Row } from '../../store/store.js'
import { asksRecord } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Input } from '../call/input.js'
import { lensOf } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { relatedTo, searchedField } from '../form/control.js'
import { listParameter } from '../input/named-list.js'
import { panelParameter, panelText } from '../input/panel-text.js'
import { type PressedButton, pressedButton } from '../input/pressed-button.js'
import { listFilters } from '../input/selected-ids.js'
import type { Asked } from '../outcomes/actions.js'
import type { FormField } from '../outcomes/forms.js'
import { allowEach } from '../query/allow-each.js'
import { searchChoices } from '../query/search-choices.js'
import { chunkSize, findAllByKeys, firstRows, type Selection } from '../query/selection.js'
import { UsedKeyError } from '../realm/idempotency.js'
import { choiceCondition, typedValue } from '../relation/choice-condition.js'
import { labelOf } from '../relation/label.js'
import { inputFields, pickedFields, sentTexts } from './input.js'

/** Whether a button asks for its action's form first, or that form searches for a related record. */
export function requestsForm(input: Input): boolean {
  return panelParameter(input, '_ask') === '1' || searchedField(input) !== null
}

// Enough labels to recognise what is about to change.
const named = 20

type Asking = Pick<Call, 'realm' | 'identity' | 'input'>

/** The form of an action: its records, its fields, and after a refusal what the user typed. */
export async function actionForm(call: Call, action: BoundAction, selection: Selection, error: DaymarkError | null): Promise<Asked> {
  const { input, resource } = call
  const subject =
    selection.is === 'ids' ? selection.keys.map((key) => ['ids[]', keyText(key)] as const) : listing(call, action, selection.total)
  const pressed = pressedButton(input, [...resource.indexButtons, ...resource.buttons], action)
  return { ...(await question(call, action, pressed, error)), resource, ...(await subjects(call, action, selection)), subject }
}

/** The form of a page's method, which has no records. */
export async function pageMethodForm(
  call: Asking,
  action: BoundAction,
  buttons: PressedButton,
  error: DaymarkError | null,
): Promise<Asked> {
  return { ...(await question(call, action, buttons, error)), resource: null, labels: [], count: 0, subject: [] }
}

async function question(call: Asking, action: BoundAction, { button, said }: PressedButton, error: DaymarkError | null) {
  const { input } = call
  const asked = inputFields(action, call.identity)
  const texts = sentTexts(asked, input.body)
  const fields: FormField[] = []
  for (const field of asked.values()) fields.push(await control(call, action, field, texts, error))
  return {
    is: 'asked',
    action,
    fields,
    picked: action.changes ? pickedOf(call, asked) : null,
    confirm: button?.confirm ?? action.confirm,
    danger: button?.tone === 'danger',
    // The form repeats which page and button it comes from.
    from: [...said, ...(['_page', '_item'] as const).map((name) => [name, panelParameter(input, name)] as const)].filter(
      ([, text]) => text !== '',
    ),
    error,
    once: (!(error instanceof UsedKeyError) && panelText(input, '_once')) || randomUUID(),
    back: panelParameter(input, '_back'),
  } as const
}

/** The fields that are ticked as to be changed: of a single one, nobody has to say so. */
function pickedOf({ input }: Asking, asked: ReadonlyMap<string, Bound>): ReadonlySet<string> {
  const isFirst = panelText(input, '_once') === ''
  return new Set(isFirst && asked.size === 1 ? asked.keys() : pickedFields(input.body))
}

async function control(
  call: Asking,
  { changes, fields }: BoundAction,
  field: Bound,
  texts: ReadonlyMap<string, string>,
  error: DaymarkError | null,
): Promise<FormField> {
  const { realm, identity, input } = call
  const typed = texts.get(field.key)
  // What a new record begins with is nothing to change others to.
  const initial = changes ? undefined : field.default
  const text = typed ?? (initial === undefined ? '' : field.kind.text(initial, field, realm))
  const target = realm.links.get(field)
  const searched = panelText(input, `_query[${field.key}]`)
  // Each of several records has other fields of its own.
  const now = (other: Bound) => {
    if (changes) return undefined
    const text = texts.get(other.key)
    return text === undefined ? (other.default ?? null) : typedValue(other, text, realm)
  }
  return {
    field,
    text,
    stored: null,
    begins: typed === undefined ? (initial ?? null) : null,
    next: null,
    was: '',
    untouched: false,
    errors: error?.errors.get(field.key) ?? [],
    writable: true,
    closed: null,
    related: await relatedTo(call, field, [text]),
    choices:
      target && searchedField(input) === field.key
        ? await searchChoices(realm, identity, target, searched, choiceCondition(realm, field, target, fields, now))
        : null,
    searched,
  }
}

/** The labels of the first records, and the number of all. */
async function subjects(
  call: Call,
  action: BoundAction,
  selection: Selection,
): Promise<{ readonly labels: readonly string[]; readonly count: number }> {
  const { identity, resource, store } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const label = (row: Row) => labelOf(visibleLens(call, lens, row), row)
  if (selection.is === 'all') {
    // As many as one statement reads: all of a list that has no more, while a form would be slow to open over millions.
    const rows = await firstRows(call, selection, asksRecord(resource, action) ? chunkSize : named)
    allowEach(call, rows, action, selection.total)
    return { labels: rows.slice(0, named).map(label), count: selection.total }
  }
  const { keys } = selection
  const rows = await findAllByKeys(call, lens, store, keys)
  allowEach(call, rows, action, keys.length)
  return { labels: rows.slice(0, named).map(label), count: keys.length }
}

function listing({ input, realm }: Asking, { fields }: BoundAction, total: number): Asked['subject'] {
  const sort = panelText(input, '_sort')
  const filters = [...listFilters(input, realm.t, fields)].flatMap(([name, values]) => values.map((value) => [name, value] as const))
  const named = panelParameter(input, listParameter)
  const own = [['_sort', sort] as const, [listParameter, named] as const].filter(([, text]) => text !== '')
  return [['_all', '1'], ['_total', String(total)], ...own, ...filters]
}
