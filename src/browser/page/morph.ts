/**
 * Makes an element equal to another by changing only what differs: focus, caret and open panels survive.
 *
 * @param skip children to keep as they are
 */
export function morph(old: Element, fresh: Element, skip: (child: Element) => boolean = () => false): void {
  copyAttributes(old, fresh)
  if (old instanceof HTMLInputElement) copyInput(old, fresh as HTMLInputElement)
  else morphChildren(old, fresh, skip)
  if (old instanceof HTMLSelectElement && old !== document.activeElement) old.value = (fresh as HTMLSelectElement).value
}

// With more children (or table rows) than this, replacing them all is faster.
const many = 300

function morphChildren(old: Element, fresh: Element, skip: (child: Element) => boolean): void {
  if (Math.max(...[old, fresh].map((one) => (one instanceof HTMLTableElement ? one.rows.length : one.childElementCount))) > many) {
    old.replaceChildren(...fresh.childNodes)
    return
  }
  const named = new Map([...old.children].flatMap((child) => (nameOf(child) === null ? [] : [[nameOf(child), child] as const])))
  let at = old.firstChild
  for (const next of [...fresh.childNodes]) {
    const match = matching(next, at, named)
    if (!match) old.insertBefore(next, at)
    else {
      if (match === at) at = at.nextSibling
      else old.insertBefore(match, at)
      if (match instanceof Element) {
        if (!skip(match)) morph(match, next as Element, skip)
      } else if (match.nodeValue !== next.nodeValue) match.nodeValue = next.nodeValue
    }
  }
  while (at) {
    const following: ChildNode | null = at.nextSibling
    if (!(at instanceof Element && skip(at))) at.remove()
    at = following
  }
}

/** The existing node for a new one: the child of the same name anywhere, or an unnamed one of the same kind at this position. */
function matching(next: Node, at: ChildNode | null, named: ReadonlyMap<string | null, Element>): ChildNode | null {
  const name = next instanceof Element ? nameOf(next) : null
  if (name !== null) return named.get(name) ?? null
  if (!at || at.nodeName !== next.nodeName || at.nodeType !== next.nodeType) return null
  return at instanceof Element && nameOf(at) !== null ? null : at
}

function nameOf(one: Element): string | null {
  if (one.id !== '') return `#${one.id}`
  return one instanceof HTMLElement && one.dataset.key !== undefined ? `=${one.dataset.key}` : null
}

function copyAttributes(old: Element, fresh: Element): void {
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && !isOwn(old, name)) old.setAttribute(name, value)
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isOwn(old, name)) old.removeAttribute(name)
}

/** Whether an element is open is the user's state, not the server's; so is which row of a table the arrow keys have reached. */
function isOwn(one: Element, name: string): boolean {
  if (name === 'tabindex') return one instanceof HTMLTableRowElement
  return name === 'open' && (one instanceof HTMLDetailsElement || one instanceof HTMLDialogElement)
}

function copyInput(old: HTMLInputElement, fresh: HTMLInputElement): void {
  old.checked = fresh.checked
  // Text being typed is newer than any answer.
  if (old !== document.activeElement && old.type !== 'hidden') old.value = fresh.value
}
