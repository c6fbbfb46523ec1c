/** Columns stay as wide as they were while a list changes in its place, as far as what stands in them allows: a browser would lay out each page of it anew. */
export function calmColumns(): void {
  addEventListener('resize', () => {
    for (const head of document.querySelectorAll<HTMLElement>(`${tables} thead th`)) setWidth(head, '')
  })
}

// Of a long one the head alone says how wide they are.
const tables = '.listing[id] > .scroller > .rows:not(.long)'

/** Takes note of the widths before a list becomes another one; what it returns puts them into force there, unless the columns are others. */
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
  // On a phone rows are cards.
  if (getComputedStyle(table).display !== 'table') return heads.map(() => '')
  // Without rows the head alone would say it.
  if (!table.querySelector('tbody > tr')) return heads.map(({ style }) => style.cssText)
  const box = table.parentElement as Element
  const isWider = box.scrollWidth > box.clientWidth
  const rest = heads.find((one) => one.matches('.first')) ?? heads.at(-1)
  return heads.map((head) => {
    const { width } = head.getBoundingClientRect()
    // What is scrolled sideways stays as wide as it is. What fits is to fit again: a column gives way where another one needs more, the first before all.
    if (isWider) return `min-inline-size: ${width}px`
    return head === rest ? '' : `inline-size: ${width}px`
  })
}

function listOf(table: Element): Element {
  return table.closest('.listing') as Element
}

/** None of a head of one's own, which may have cells over several columns. */
function headsOf({ tHead }: HTMLTableElement): readonly HTMLElement[] {
  const heads = [...(tHead?.querySelectorAll('th') ?? [])]
  return tHead?.rows.length === 1 && heads.every(({ colSpan }) => colSpan === 1) ? heads : []
}

function labelsOf(heads: readonly Element[]): string {
  // Behind it may stand which sort it is.
  return heads.map((head) => (head.querySelector('a') ?? head).firstChild?.textContent).join('\n')
}
