import type { Token } from 'markdown-it'

// The most characters of addresses in a text. It can name one long address, and refer to it thousands of times.
const room = 1_000_000

/** Makes links and images of a text safe and small. To be called for each token in turn. */
export function linking(Made: typeof Token): (token: Token) => Token[] {
  let left = room
  let within = false
  const words = (content: string) => Object.assign(new Made('text', '', 0), { content })

  return (token) => {
    const { type, content } = token
    if (type === 'link_close') within = false
    if (type !== 'link_open' && type !== 'image') return [token]
    for (const [, value] of token.attrs ?? []) left -= String(value).length
    if (type === 'link_open') {
      within = true
      // Links say nothing about where they stand.
      if (left < 0) token.attrs = []
      else token.attrSet('rel', 'noreferrer')
      return [token]
    }
    const from = String(token.attrGet('src') ?? '')
    if (left < 0) return [words(content || '…')]
    if (/^(?:\/(?!\/)|data:)/.test(from)) return [token]
    // An image of another host would not load. It becomes a link, but a link holds none.
    const inside = words(content || from)
    if (within) return [inside]
    const [open, close] = [new Made('link_open', 'a', 1), new Made('link_close', 'a', -1)]
    open.attrs = [
      ['href', from],
      ['rel', 'noreferrer'],
    ]
    return [open, inside, close]
  }
}
