/** Keeps column widths stable while a list changes in place, as far as its contents allow: the browser would lay out each page anew. */
export function calmColumns(): void {
  addEventListener('resize', () => {
    for (const head of document.querySelectorAll<HTMLElement>(`${tables} thead th`)) setWidth(head, '')
  })
}

// A long table's widths depend on its head alone, so they are stable anyway.
const tables = '.listing[id] > .scroller > .rows:not(.long)'

/** Records the column widths before a list changes. The function it returns applies them, if the columns are still the same. */
export function keepWidths(): () => void {
  const all = [...document.querySelectorAll<HTMLTableElement>(tables)].map((table) => {
    const heads = headsOf(table)
    return { id: listOf(table).id, labels: labelsOf(heads), widths: widthsOf(table, heads) }
  })
  return () => {
    for (const { id, labels, widths } of all) {
      const table = [...document.querySelectorAll<HTMLTableElement>(tables)].find((one) => listOf(one).id === id)
      const heads = table ? headsOf(table) : []
      if (labelsOf(heads) === labels) for (const [i, head] of heads.entries()) setWidth(head, widths[i] as string)
    }
  }
}

function setWidth(head: HTMLElement, text: string): void {
  if (text === '') head.removeAttribute('style')
  else head.style.cssText = text
}

function widthsOf(table: HTMLTableElement, heads: readonly HTMLElement[]): readonly string[] {
  // On a phone, rows are cards.
  if (getComputedStyle(table).display !== 'table') return heads.map(() => '')
  // Without rows, the measured widths would be those of the head alone.
  if (!table.querySelector('tbody > tr')) return heads.map(({ style }) => style.cssText)
  const box = table.parentElement as Element
  const isWider = box.scrollWidth > box.clientWidth
  const rest = heads.find((one) => one.matches('.first')) ?? heads.at(-1)
  return heads.map((head) => {
    const { width } = head.getBoundingClientRect()
    // A table wider than its box keeps all widths. One that fits must go on fitting, so columns may shrink, the first one above all.
    if (isWider) return `min-inline-size: ${width}px`
    return head === rest ? '' : `inline-size: ${width}px`
  })
}

function listOf(table: Element): Element {
  return table.closest('.listing') as Element
}

/** Empty for a custom head, which may have cells that span columns. */
function headsOf({ tHead }: HTMLTableElement): readonly HTMLElement[] {
  const heads = [...(tHead?.querySelectorAll('th') ?? [])]
  return tHead?.rows.length === 1 && heads.every(({ colSpan }) => colSpan === 1) ? heads : []
}

function labelsOf(heads: readonly Element[]): string {
  // The sort indicator may follow the label's text node.
  return heads.map((head) => (head.querySelector('a') ?? head).firstChild?.textContent).join('\n')
}
