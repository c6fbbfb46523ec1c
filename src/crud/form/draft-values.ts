import type { DaymarkError } from '../../base/errors.js'
import { isLater } from '../../base/later.js'
import { parseValue } from '../../field/check.js'
import { asLines } from '../../field/texts.js'
import type { Row } from '../../store/store.js'
import { type FillValue, pendingFills, readFillValues } from '../body/fills.js'
import type { ValidatedBody } from '../body/validated-body.js'
import type { Call } from '../call/call.js'
import { fieldAccess } from '../call/field-access.js'
import type { Lens } from '../call/lens.js'
import type { Would, WouldBe } from '../outcomes/forms.js'
import { previewComputed, type TypedValues, typedInBody } from './computed-preview.js'
import { computedText } from './computed-text.js'

/** A record of a form, as far as it can be told what it would be. */
export interface Draft {
  readonly call: Call
  readonly sent: ValidatedBody
  /** What the caller may see of it. */
  readonly seen: Lens
  /** The record as it is; null: it is new. */
  readonly row: Row | null
  /** The names of all that the form shows of it. */
  readonly names: readonly string[]
  /** Where it was sent: what its own names begin with. */
  readonly at: string
  /** What is known of it besides. */
  readonly also?: TypedValues
}

/**
 * What a form would show with what was sent.
 *
 * @param refused what is wrong with it; null: nothing. A relation that is refused fills nothing
 */
export async function draftValues(drafts: readonly Draft[], refused: DaymarkError | null): Promise<Would> {
  const computed = new Map<string, WouldBe>()
  const filled = new Map<string, WouldBe>()
  for (const { call, sent, seen, row, names, at, also } of drafts) {
    const { realm, store } = call
    const pending = pendingFills(call, sent, row)
    const fills = new Map<string, FillValue & { readonly value: unknown }>()
    for (const one of pending.size > 0 ? await readFillValues(call, store, pending) : []) {
      const { by, ours, wire } = one
      const value = parseValue(ours, wire)?.value
      if (refused?.errors.has(`${at}${by.key}`) || value === undefined || value === null || isLater(value)) continue
      fills.set(ours.key, { ...one, value })
      if (!seen.readable.has(ours.key)) continue
      const { kind } = ours
      const typed = (text: string) => (kind.lines ? asLines(text) : text)
      const text = fieldAccess(call, sent.lens, ours, row).writable ? typed(kind.text(value, ours, realm)) : kind.words(value, ours, realm)
      filled.set(`${at}${ours.key}`, { value: wire, text })
    }
    const typed = typedInBody(sent, fills)
    for (const { computed: one, value } of previewComputed(call, seen, names, row, (field) => also?.(field) ?? typed(field)))
      computed.set(`${at}${one.key}`, { value, text: computedText(value, one, realm) })
  }
  return { computed, filled }
}
