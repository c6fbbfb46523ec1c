import { type Html, html } from '../base/html.js'
import type { Around, Reply } from '../face/face.js'
import { button } from './components/button.js'
import { logoOf } from './components/icon.js'
import { notice } from './components/notice.js'
import { hiddenToken } from './form-token.js'
import { page } from './page.js'
import { hiddenInputs } from './panel-input.js'

/** A small form on a page of its own: a step of a sign-in. */
export interface SignInCard {
  readonly title: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly action: string
  readonly hidden: readonly (readonly [name: string, value: string])[]
  /** What is wrong, above the fields; null: nothing, or it stands at a field. */
  readonly error: string | null
  readonly said?: string | null
  readonly body: Html
  readonly submit: string
  /** Another way, below the button. */
  readonly below?: { readonly label: string; readonly href: string }
}

export function signInCard(
  at: Around,
  { title, status, headers, action, hidden, error, said = null, body, submit, below }: SignInCard,
): Reply {
  return page(
    { ...at, identity: null },
    { title, status, headers },
    html`<form class="sign-in card" method="post" action="${action}">${hiddenInputs([...hidden, ...hiddenToken(at)])}<div class="who">${logoOf(at.brand)}<h1>${at.brand.name}</h1></div>${error !== null ? notice('bad', error) : said !== null && notice('info', said)}${body}${button({ label: submit, tone: 'primary' })}${below && html`<a class="below" href="${below.href}">${below.label}</a>`}</form>`,
  )
}
