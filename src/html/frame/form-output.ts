import type { Html } from '../../base/html.js'
import { computedText, isNumeric } from '../../crud/form/computed-text.js'
import type { FormComputed, FormField } from '../../crud/outcomes/forms.js'
import type { PresenterContext } from '../../face/face.js'
import { output } from '../components/output.js'
import { assetUrl } from './assets.js'
import { controlId } from './form-control.js'
import type { InRow } from './relation-control.js'

interface InForm {
  readonly fields: readonly FormField[]
  readonly computed: readonly FormComputed[]
  readonly names: readonly string[]
}

/**
 * A computed value in a form.
 *
 * @param prefix its id begins with it, since a page may have two forms
 * @param row the row that it is in, if the form has several records
 */
export function computedOutput({ computed, value }: FormComputed, among: InForm, at: PresenterContext, prefix?: string, row?: InRow): Html {
  const { key, label, needs } = computed
  const of = among.fields.filter((one) => one.writable && needs.includes(one.field.key))
  return output({
    id: `${row?.id ?? prefix ?? 'field'}-${key}`,
    name: row ? `${row.name}.${key}` : key,
    label,
    shown: computedText(value, computed, at.realm),
    isNumber: typeof value === 'number' || isNumeric(computed),
    of: of.map((one) => controlId(one, row?.id ?? prefix)),
    isLive: row === undefined,
    script: assetUrl(at.place, 'following.js'),
  })
}

/** What a form shows, in its order: each field as `control` draws it, and the computed values between them. */
export function inOrder(
  among: InForm,
  names: readonly string[],
  control: (one: FormField) => Html | null,
  computed: (one: FormComputed) => Html,
): readonly Html[] {
  return names.flatMap((name) => {
    const one = among.fields.find(({ field }) => field.key === name)
    const other = among.computed.find((one) => one.computed.key === name)
    return (one ? control(one) : other ? computed(other) : null) ?? []
  })
}
