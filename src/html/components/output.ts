import { block, type Html, html } from '../../base/html.js'

export interface OutputView {
  /** Its id. */
  readonly id: string
  /** The name by which a script finds it. Nothing is sent. */
  readonly name: string
  readonly label: string
  /** What it shows; null: nothing is known. */
  readonly shown: Html | string | null
  /** Whether digits stand below digits. */
  readonly isNumber: boolean
  /** The ids of the controls that it is made of. */
  readonly of: readonly string[]
  /** Whether a change is read out: those of many rows would be too much. */
  readonly isLive: boolean
  /** The URL of the script that keeps it up to date; null: none does. */
  readonly script: string | null
}

/** A label and a value that nobody types, since it follows from others. */
export function output({ id, name, label, shown, isNumber, of, isLive, script }: OutputView): Html {
  const classes = [isNumber && 'number', shown === null && 'none'].filter(Boolean).join(' ')
  return block`
    <div class="field"${script !== null && html` data-script="${script}"`}>
      <label for="${id}">${label}</label>
      <div class="control">
        <output
          id="${id}"
          name="${name}"
          ${classes !== '' && html` class="${classes}"`}
          ${of.length > 0 && html` for="${of.join(' ')}"`}
          aria-live="${isLive ? 'polite' : 'off'}"
        >
          ${shown ?? html`&mdash;`}
        </output>
      </div>
    </div>
  `
}
