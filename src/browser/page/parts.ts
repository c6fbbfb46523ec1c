import { focusList } from './focus-list.js'

// Markup and texts for scripts come with the page, in the user's language, in `<template id="_parts">`. No component can have that name.
const parts = document.querySelector<HTMLTemplateElement>('#_parts')

/** A copy of a piece of markup, to fill in and insert. */
export function part(name: string): HTMLElement {
  const found = parts?.content.querySelector(`[data-part="${name}"] > *`)
  if (!found) throw new TypeError(`No part "${name}"`)
  return found.cloneNode(true) as HTMLElement
}

/** A text, with `{count}` filled in. */
export function text(name: string, count?: number | string): string {
  const found = parts?.dataset[name] ?? ''
  return count === undefined ? found : found.replace('{count}', () => count.toLocaleString(document.documentElement.lang))
}

/** The message of a refusal; for a server error, with the request id to quote. */
export function saidBy(problem: { message?: string | undefined; requestId?: string | undefined; status?: number } | null): string {
  const { message, requestId, status } = problem ?? {}
  const said = message ?? text('failed')
  return requestId !== undefined && (status ?? 0) >= 500 ? `${said}. ${text('request')} ${requestId}` : said
}

/** An error notice, with a retry button if there is something to retry. */
export function problem(message: string, again?: () => void): HTMLElement {
  const notice = part('problem')
  const [place, button] = [notice.querySelector('p') as HTMLElement, notice.querySelector('button') as HTMLElement]
  place.textContent = message
  if (again)
    button.addEventListener('click', () => {
      const list = button.closest('.listing')
      again()
      // What is tried anew is said no longer, and had the focus.
      if (document.activeElement === document.body) focusList(list)
    })
  else button.remove()
  return notice
}

/** Where a button sends its form. */
export function targetOf(form: HTMLFormElement, button: HTMLButtonElement): string {
  return button.hasAttribute('formaction') ? button.formAction : form.action
}

/** Whether an element is in a list that is not asynchronous, where every control is a plain link or form. */
export function inPlainList(element: Element): boolean {
  return element.closest('.listing:not([data-async])') !== null
}
