const decimal = /^-?\d+(?:\.\d+)?$/

/** Arrow keys step number fields with a declared step. */
export function steps(): void {
  addEventListener('keydown', (event) => {
    const input = event.target as HTMLInputElement
    const by = event.key === 'ArrowUp' ? 1n : event.key === 'ArrowDown' ? -1n : null
    if (by === null || !input.matches?.('input[data-step]') || input.readOnly || event.isComposing) return
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    const comma = new Intl.NumberFormat(document.documentElement.lang).format(1.5).includes(',')
    const next = stepped(comma ? input.value.replace(',', '.') : input.value, by, input.dataset)
    if (next === null) return
    input.value = comma ? next.replace('.', ',') : next
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }))
  })
}

/** The next step; null if the text is no number or there is none. In integer units of the last digit, since 0.1 + 0.2 is not 0.3. */
function stepped(typed: string, by: bigint, { step = '1', min, max }: DOMStringMap): string | null {
  const text = typed.trim()
  if (text !== '' && !decimal.test(text)) return null
  const digits = Math.max(...[text, step, min ?? '', max ?? ''].map((one) => one.split('.')[1]?.length ?? 0))
  const unitsOf = (one: string) => {
    const [whole = '', fraction = ''] = one.split('.')
    return BigInt(whole + fraction.padEnd(digits, '0'))
  }
  const [from, apart] = [unitsOf(min ?? '0'), unitsOf(step)]
  // From an empty field, the first step goes to the start of the steps.
  const units = text === '' ? from - by * apart : unitsOf(text)
  const over = (((units - from) % apart) + apart) % apart
  const next = over === 0n ? units + by * apart : units - over + (by > 0n ? apart : 0n)
  const least = min === undefined ? null : from
  const most = max === undefined ? null : unitsOf(max)
  if ((least !== null && next < least) || (most !== null && next > most)) return null
  const all = String(next < 0n ? -next : next).padStart(digits + 1, '0')
  const fraction = all.slice(all.length - digits).replace(/0+$/, '')
  return `${next < 0n ? '-' : ''}${all.slice(0, all.length - digits)}${digits > 0 && fraction !== '' ? `.${fraction}` : ''}`
}
