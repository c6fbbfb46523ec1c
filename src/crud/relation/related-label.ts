import type { Translate } from '../../base/messages.js'
import type { Bound } from '../../field/field.js'
import { keyText } from '../../field/key.js'
import { remembered } from '../../field/remembered.js'
import { labelOf } from './label.js'
import { type RelatedRows, relatedRow } from './related.js'
import { keysIn } from './relation.js'

/** A related record to choose. */
export interface Choice {
  /** Its key, as text. */
  readonly key: string
  /** Its label. */
  readonly label: string
  /** What tells it from others of the same label, or why it was found although its label does not say so; absent: there is no need to. */
  readonly hint?: string
}

/**
 * The labels of related records by their keys, in their order, as far as the caller may see them.
 *
 * @param t says of those in the trash that they are there; without it, they are left out
 */
export function relatedChoices(related: RelatedRows, keys: readonly unknown[], locale: string, t?: Translate): readonly Choice[] {
  const choices = keys.flatMap((key) => {
    const label = relatedLabel(related, key) ?? (t ? trashedLabel(related, key, t) : null)
    return label === null ? [] : [{ key: keyText(key as never), label }]
  })
  return choices.length < 2 ? choices : choices.sort((a, b) => collatorOf(locale).compare(a.label, b.label))
}

const collatorOf = remembered((locale: string) => new Intl.Collator(locale, { numeric: true }))

/** The labels of the related records that a value leads to, as one text; null: there is none that the caller may see. */
export function relatedWords(related: RelatedRows, field: Bound, value: unknown, locale: string, t?: Translate): string | null {
  const choices = relatedChoices(related, keysIn(field, value), locale, t)
  return choices.length === 0 ? null : choices.map(({ label }) => label).join(', ')
}

/** The label of a related record, or its key if the caller may not read the label; null: there is none that they may see. */
export function relatedLabel({ lens, byKey }: RelatedRows, key: unknown): string | null {
  const row = relatedRow({ lens, byKey }, key)
  return row ? labelOf(lens, row) : null
}

/** The label of a related record that lies in the trash, with words that say so; null: there is none that the caller may see. */
export function trashedLabel({ trashed }: RelatedRows, key: unknown, t: Translate): string | null {
  const label = trashed ? relatedLabel(trashed, key) : null
  return label === null ? null : t('trash.marked', { label })
}
