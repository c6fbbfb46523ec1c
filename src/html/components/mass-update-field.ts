import { block, type Html, html } from '../../base/html.js'

export interface MassUpdateFieldView {
  /** The name of the field. */
  readonly name: string
  readonly label: string
  /** The id of what says what is wrong with it, once that is there. */
  readonly error: string
  /** Whether it is ticked. */
  readonly picked: boolean
  /** The field with its own label, which is shown to nobody but screen readers. */
  readonly control: Html
}

/** A field that is changed only if its box is ticked; until then, the stylesheet hides its control. */
export function massUpdateField({ name, label, error, picked, control }: MassUpdateFieldView): Html {
  return block`
    <div class="change">
      <label>
        <input type="checkbox" name="_change" value="${name}"${picked && html` checked`} aria-describedby="${error}">
        <span>${label}</span>
      </label>
      ${control}
    </div>
  `
}
