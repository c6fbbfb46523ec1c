import { block, type Html, html } from '../../base/html.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { panelPath } from '../../route/url.js'
import { button } from '../components/button.js'
import { logoOf } from '../components/icon.js'
import { notice } from '../components/notice.js'
import { hiddenToken } from '../frame/form-token.js'
import { page } from '../frame/page.js'
import { hiddenInputs } from '../frame/panel-input.js'

/** The head of a small page of its own: a step of a sign-in. */
export interface CardHead {
  readonly title: string
  /** What the page begins with, below the name of the panel. Default: that name alone. */
  readonly heading?: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** What is wrong, above the fields; null: nothing, or it stands at a field. */
  readonly error: string | null
  readonly said?: string | null
}

/** A small form on such a page. */
export interface SignInCard extends CardHead {
  readonly action: string
  readonly hidden: readonly (readonly [name: string, value: string])[]
  readonly body: Html
  readonly submit: string
  /** Other ways, below the button. */
  readonly more?: Html | null
  /** What comes after the form, such as another one. */
  readonly after?: Html
  readonly scripts?: readonly string[]
  /** Where to begin again, below all else. */
  readonly below?: { readonly label: string; readonly href: string }
}

export function signInCard(
  at: PresenterContext,
  { action, hidden, body, submit, more, after, scripts, below, ...head }: SignInCard,
): Reply {
  const last = below && html`<a class="below" href="${below.href}">${below.label}</a>`
  const inside = block`
    ${hiddenInputs([...hidden, ...hiddenToken(at)])}${top(head, at)}${body}
    ${button({ label: submit, tone: 'primary' })}${more}${last}
  `
  return alone(
    at,
    head,
    html`<form class="sign-in card" method="post" action="${action}" data-panel="${panelPath(at.place)}/">${inside}</form>${after}`,
    scripts,
  )
}

/** A page that has no form. */
export function card(at: PresenterContext, head: CardHead, body: Html): Reply {
  return alone(at, head, html`<div class="sign-in card">${top(head, at)}${body}</div>`)
}

function alone(at: PresenterContext, { title, status, headers }: CardHead, body: Html, scripts: readonly string[] = []): Reply {
  return page({ ...at, identity: null }, { title, status, headers, scripts }, body)
}

/** Whose panel it is, and what there is to say. */
function top({ heading, error, said = null }: CardHead, { brand }: PresenterContext): Html {
  const title = heading === undefined ? html`<h1>${brand.name}</h1>` : html`<p class="muted">${brand.name}</p><h1>${heading}</h1>`
  return block`
    <div class="who">${logoOf(brand)}${title}</div>
    ${error !== null ? notice('bad', error) : said !== null && notice('info', said)}
  `
}
