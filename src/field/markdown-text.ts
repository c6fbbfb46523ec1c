import MarkdownIt, { type Token } from 'markdown-it'
import { type Html, html, raw } from '../base/html.js'
import { linking } from './markdown-links.js'

// More characters take too long to format.
const longest = 100_000

// The parser leaves out what is nested deeper.
const deepest = 99

// Markup in the text is shown as text, and an address that could run script is no link.
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: deepest + 1 })
markdown.core.ruler.push('daymark', ({ tokens, Token }) => {
  const linked = linking(Token)
  for (const token of tokens) {
    if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = deeper(token.tag)
    // The content security policy allows no inline style.
    const align = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1]
    if (align !== undefined) token.attrs = [['class', align]]
    if (token.children) token.children = token.children.flatMap(linked)
  }
})
markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'

/**
 * Markdown as markup: CommonMark, with tables, strikethrough and links in plain text as on GitHub. A very long text stays as it is, and so
 * does one of which something would be left out.
 */
export function renderedMarkdown(text: string): Html {
  if (text.length > longest) return html`<pre>${text}</pre>`
  const tokens = markdown.parse(text, {})
  return tokens.some(({ level }) => level >= deepest)
    ? html`<pre>${text}</pre>`
    : raw(markdown.renderer.render(tokens, markdown.options, {}))
}

// What a list has room for, and how much of a text is read for it. Few lines are, since each of a table has all of its columns.
const shown = 160
const read = { characters: 600, lines: 16 }

// A list asks for it twice: for the cell, and for its title.
let last = { text: '', words: '' }

/** The beginning of a text in plain words, on one line. */
export function markdownExcerpt(text: string): string {
  if (last.text !== text) last = { text, words: excerptOf(text) }
  return last.words
}

function excerptOf(text: string): string {
  const lines = text.slice(0, read.characters).split(/\r\n?|\n/)
  const words = markdown
    .parse(lines.slice(0, read.lines).join('\n'), {})
    .flatMap(({ type, content, children }) => (type === 'fence' || type === 'code_block' ? [content] : wordsOf(children ?? [])))
  const line = words.join(' ').replace(/\s+/g, ' ').trim()
  const isCut = line.length > shown || text.length > read.characters || lines.length > read.lines
  return isCut ? `${line.slice(0, shown).replace(halfLetter, '').trimEnd()}…` : line
}

const halfLetter = /[\uD800-\uDBFF]$/

function wordsOf(tokens: readonly Token[]): string[] {
  const text = tokens.map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content)).join('')
  return text === '' ? [] : [text]
}

/** A page has a heading of its own. */
function deeper(tag: string): string {
  return `h${Math.min(6, Number(tag.slice(1)) + 1)}`
}
