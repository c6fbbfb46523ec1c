import { DaymarkError, invalid } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { lineFeeds } from '../../field/line-feeds.js'
import { validateBody } from '../body/validated-body.js'
import { allow } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Body } from '../call/input.js'
import { lensOf } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { commitUpdate } from '../commit/update.js'
import { staleError } from '../commit/version.js'
import { keyOf } from '../input/key.js'
import { isSameJson } from '../input/same-json.js'
import type { Outcome } from '../outcomes/outcome.js'
import { saved } from './save.js'

/** Changes one field in place: `{field, value, was}`. `was` acts as the version: the stored value must still be the same. */
export async function updateField(call: Call): Promise<Outcome> {
  const { realm, identity, resource, input } = call
  allow(realm, identity, resource, 'update')
  const key = keyOf(call)
  const { field, value, was } = readChange(call)
  const sent = await validateBody({ ...call, input: { ...input, body: bodyOf(input.body, field, value) } }, false)
  const row = await commitUpdate(call, key, sent, {
    match(lens, stored) {
      // A caller who may not see the value is refused anyway, and not told whether they have guessed it.
      if (!visibleLens(call, lens, stored).readable.has(field.key)) return
      if (isStill(call, field, was, stored[lens.at.get(field.key) as number])) return
      throw staleError(call, 'record.stale', lens, stored)
    },
  })
  return saved(call, false, row, 'back')
}

interface Change {
  readonly field: Bound
  /** `value` and `was` as they were sent: JSON values, or the texts of a form. */
  readonly value: unknown
  readonly was: unknown
}

const names = ['field', 'value', 'was']

/** @throws DaymarkError `invalid` for a missing or unknown name, and for a field that the caller may not see */
function readChange({ input: { body }, identity, resource, realm: { t } }: Call): Change {
  const given = new Map<string, unknown>()
  const errors = new Map<string, readonly string[]>()
  for (const [name, one] of body.from === 'none' ? [] : body.fields) {
    if (names.includes(name)) given.set(name, body.from === 'form' ? (one as readonly string[]).at(-1) : one)
    else errors.set(name, [t('field.unknown', { name, names: names.join(', ') })])
  }
  for (const name of names) if (!given.has(name)) errors.set(name, [t('field.required', { label: name })])
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  const { readable } = lensOf(identity, resource, { name: 'record', whole: true })
  const name = given.get('field')
  if (typeof name !== 'string') throw invalid('field', t('field.notText', { label: 'field' }))
  const field = readable.get(name)
  if (!field) throw invalid('field', t('field.unknown', { name, names: [...readable.keys()].join(', ') }))
  return { field, value: given.get('value'), was: given.get('was') }
}

/** The body of an update of this field. */
function bodyOf({ from }: Body, { key }: Bound, value: unknown): Body {
  return from === 'form'
    ? { from, fields: new Map([[key, [String(value)]]]), panel: new Map() }
    : { from: 'json', fields: new Map([[key, value]]) }
}

function isStill({ input, realm }: Call, field: Bound, was: unknown, stored: unknown): boolean {
  const none = stored === null || stored === undefined
  const wire = none ? null : field.kind.wire(stored, field)
  if (input.body.from === 'form') {
    const text = lineFeeds(String(was))
    if (text === lineFeeds(none ? '' : field.kind.text(stored, field, realm))) return true
    // The same, written as a user wrote it: `2.50` for 2.5.
    return !none && text !== '' && isSameJson(field.kind.read(text, field, realm), wire)
  }
  return isSameJson(was, wire)
}
