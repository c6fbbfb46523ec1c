// What scripts show and say comes from the page: `<template id="parts">` holds it, in the person's language.
const parts = document.querySelector<HTMLTemplateElement>('#parts')

/** A piece of markup to fill in and put somewhere. */
export function part(name: string): HTMLElement {
  const found = parts?.content.querySelector(`[data-part="${name}"] > *`)
  if (!found) throw new TypeError(`No part "${name}"`)
  return found.cloneNode(true) as HTMLElement
}

/** A text; `{count}` in it stands for the number. */
export function text(name: string, count?: number | string): string {
  const found = parts?.dataset[name] ?? ''
  return count === undefined ? found : found.replace('{count}', () => count.toLocaleString(document.documentElement.lang))
}

/** What a refusal says; where it is the panel's own fault, with the number to quote. */
export function saidBy(problem: { message?: string | undefined; requestId?: string | undefined; status?: number } | null): string {
  const { message, requestId, status } = problem ?? {}
  const said = message ?? text('failed')
  return requestId !== undefined && (status ?? 0) >= 500 ? `${said}. ${text('request')} ${requestId}` : said
}

/** A notice of what went wrong, and where there is a way, the button that tries again. */
export function problem(message: string, again?: () => void): HTMLElement {
  const notice = part('problem')
  const [place, button] = [notice.querySelector('p') as HTMLElement, notice.querySelector('button') as HTMLElement]
  place.textContent = message
  if (again) button.addEventListener('click', again)
  else button.remove()
  return notice
}

/** Whether something stands in a list that is not asynchronous: every control there is a plain link or form. */
export function inPlainList(element: Element): boolean {
  return element.closest('.listing:not([data-async])') !== null
}
