import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'

export interface Disagreement {
  readonly name: string
  readonly label: string
  readonly mine: { readonly text: string; readonly shown: Html }
  readonly theirs: { readonly text: string; readonly shown: Html }
  /** `theirs` for a field that this user has not changed. */
  readonly picked: 'mine' | 'theirs'
}

/** Compares typed and stored values field by field. The form sends the chosen ones. */
export function conflict(all: readonly Disagreement[], t: Translate): Html {
  return block`
    <table class="compare">
      <thead>
        <tr>
          <th scope="col">${t('conflict.field')}</th>
          <th scope="col">${t('conflict.mine')}</th>
          <th scope="col">${t('conflict.theirs')}</th>
        </tr>
      </thead>
      <tbody>
        ${all.map(
          ({ name, label, mine, theirs, picked }) =>
            block`
              <tr>
                <th scope="row">${label}<input type="hidden" name="_mine[${name}]" value="${mine.text}"></th>
                ${side(name, label, t('conflict.mine'), mine, picked === 'mine')}
                ${side(name, label, t('conflict.theirs'), theirs, picked === 'theirs')}
              </tr>
            `,
        )}
      </tbody>
    </table>
  `
}

function side(name: string, label: string, whose: string, { text, shown }: Disagreement['mine'], checked: boolean): Html {
  return block`
    <td data-label="${whose}">
      <label>
        <input type="radio" name="_text[${name}]" value="${text}"${checked && html` checked`} aria-label="${label}, ${whose}"> <span>${shown}</span>
      </label>
    </td>
  `
}
