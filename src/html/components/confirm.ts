import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button, buttonLink } from './button.js'

export interface ConfirmView {
  readonly action: string
  readonly title: string
  /** What will be deleted, as labels. */
  readonly labels: readonly string[]
  readonly more: string | null
  readonly hidden: readonly (readonly [name: string, value: string])[]
  readonly cancel: string
  /** What happens to it. */
  readonly what: string
  /** Why it will probably be refused; null: nothing is known. */
  readonly warning?: Html | null
  /** What its button says. Default: that it deletes. */
  readonly does?: string
  /** Where a script goes after the delete, as the redirect would. */
  readonly after: string
  /** The text that a script shows after the delete; null: the response's. */
  readonly said: string | null
  /** What a script shows to take it back; null: nothing does. */
  readonly undo: Html | null
}

/** Asks for confirmation of a delete. */
export function confirm(
  { action, title, labels, more, hidden, cancel, after, what, warning, does, said, undo }: ConfirmView,
  t: Translate,
): Html {
  return block`
    <form class="confirm card" method="post" action="${action}" data-after="${after}"${said !== null && html` data-said="${said}"`}>
      ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <h1>${title}</h1>
      ${warning}
      <p class="muted">${what}</p>
      ${
        labels.length > 1 &&
        block`
          <ul tabindex="0">${labels.map((label) => html`<li>${label}</li>`)}${more !== null && html`<li class="muted">${more}</li>`}</ul>
        `
      }
      <div class="actions">
        ${buttonLink({ label: t('action.cancel'), href: cancel, tone: 'plain' })}
        ${button({ label: does ?? t('action.delete'), tone: 'danger' })}
      </div>
      ${undo && html`<template>${undo}</template>`}
    </form>
  `
}
