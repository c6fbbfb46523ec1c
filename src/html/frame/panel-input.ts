import type { DaymarkError } from '../../base/errors.js'
import { type Attributes, attributes, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { PresenterContext } from '../../face/face.js'
import { field } from '../components/field.js'
import { notice } from '../components/notice.js'
import { withLabel } from './form-control.js'

/** A field of one of the panel's own forms, which belong to no resource. */
export interface PanelInput {
  readonly name: string
  readonly label: string
  readonly hint?: string | null
  /** Further attributes of the control, such as `type` and `value`. */
  readonly is: Attributes
  /** What follows the control, such as what it suggests. */
  readonly more?: Html
}

/** The field, with what is wrong with it. Its name is its id, too, unless a page has several of that name. */
export function panelInput(
  { name, label, hint = null, is, more }: PanelInput,
  error: DaymarkError | null,
  at: PresenterContext,
  id = name,
): Html {
  const errors = error?.errors.get(name) ?? []
  const described = [errors.length > 0 && `${id}-error`, hint !== null && `${id}-hint`].filter(Boolean).join(' ')
  const said = { 'aria-describedby': described || undefined, 'aria-invalid': errors.length > 0 ? 'true' : undefined }
  const control = html`<input${attributes({ type: 'text', id, name, ...is, ...said })}>${more}`
  return field({ id, label, required: false, hint, errors, control }, at.realm.t)
}

/** Why a form was refused, with links to the fields concerned, in their order on the page. Their names are their ids. */
export function refusedNotice(
  error: DaymarkError,
  fields: readonly (readonly [name: string, label: string])[],
  { realm }: PresenterContext,
): Html {
  const { t, locale } = realm
  const lines = fields.flatMap(([name, label]) =>
    (error.errors.get(name) ?? []).map((text) => ({ text: withLabel(text, label, t), href: `#${name}` })),
  )
  return lines.length === 0
    ? notice('bad', error.message)
    : notice('bad', t('form.wrong', { count: numberText(locale, lines.length) }), lines)
}

/** The password of a signed-in user, to confirm that it is they. */
export function currentPassword(error: DaymarkError | null, at: PresenterContext, id?: string): Html {
  return panelInput(
    { name: 'currentPassword', label: at.realm.t('profile.currentPassword'), is: { type: 'password', autocomplete: 'current-password' } },
    error,
    at,
    id,
  )
}

/** The hidden inputs of a form of the panel's own. */
export function hiddenInputs(all: readonly (readonly [name: string, value: string])[]): Html {
  return html`${all.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}
