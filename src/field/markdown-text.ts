import MarkdownIt, { type Token } from 'markdown-it'
import { type Html, raw } from '../base/html.js'

// Markup in the text is shown as text, and an address that could run script is no link.
const markdown = new MarkdownIt({ html: false, linkify: true })
markdown.core.ruler.push('daymark', ({ tokens, Token }) => {
  for (const token of tokens) {
    if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = deeper(token.tag)
    // The content security policy allows no inline style.
    const align = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1]
    if (align !== undefined) token.attrs = [['class', align]]
    if (token.children) token.children = token.children.flatMap((one) => inlined(one, Token))
  }
})
markdown.renderer.rules.table_open = () => '<div class="wide"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'

/** Markdown as markup: CommonMark, with tables, strikethrough and links in plain text as on GitHub. */
export function renderedMarkdown(text: string): Html {
  return raw(markdown.render(text))
}

// What a list has room for, and how much of a text is read for it.
const [shown, read] = [160, 1000]

/** The beginning of a text in plain words, on one line. */
export function markdownExcerpt(text: string): string {
  const words = markdown
    .parse(text.slice(0, read), {})
    .flatMap(({ type, content, children }) => (type === 'fence' || type === 'code_block' ? [content] : wordsOf(children ?? [])))
  const line = words.join(' ').replace(/\s+/g, ' ').trim()
  return line.length > shown || text.length > read ? `${line.slice(0, shown).trimEnd()}…` : line
}

function wordsOf(tokens: readonly Token[]): string[] {
  const text = tokens.map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content)).join('')
  return text === '' ? [] : [text]
}

/** A page has a heading of its own. */
function deeper(tag: string): string {
  return `h${Math.min(6, Number(tag.slice(1)) + 1)}`
}

/** Links say nothing about where they stand. An image of another host would not load, so it becomes a link. */
function inlined(token: Token, Made: typeof Token): Token[] {
  if (token.type === 'link_open') token.attrSet('rel', 'noreferrer')
  const from = token.type === 'image' ? String(token.attrGet('src') ?? '') : ''
  if (token.type !== 'image' || /^(?:\/(?!\/)|data:)/.test(from)) return [token]
  const [open, text, close] = [new Made('link_open', 'a', 1), new Made('text', '', 0), new Made('link_close', 'a', -1)]
  open.attrs = [
    ['href', from],
    ['rel', 'noreferrer'],
  ]
  text.content = token.content || from
  return [open, text, close]
}
