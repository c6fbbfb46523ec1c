import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdownExcerpt, renderedMarkdown } from './markdown-text.js'

const rendered = (text: string) => String(renderedMarkdown(text))

test.each([
  ['**bold** and _italic_', '<p><strong>bold</strong> and <em>italic</em></p>\n'],
  ['~~gone~~', '<p><s>gone</s></p>\n'],
  ['# One\n\n##### Five', '<h2>One</h2>\n<h6>Five</h6>\n'],
  ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n'],
  ['see https://example.com', '<p>see <a href="https://example.com" rel="noreferrer">https://example.com</a></p>\n'],
  ['![own](/files/a.png)', '<p><img src="/files/a.png" alt="own"></p>\n'],
  // What the content security policy would not load is a link.
  ['![theirs](https://example.com/a.png)', '<p><a href="https://example.com/a.png" rel="noreferrer">theirs</a></p>\n'],
  ['![](//example.com/a.png)', '<p><a href="//example.com/a.png" rel="noreferrer">//example.com/a.png</a></p>\n'],
  // No link within another.
  [
    '[![state](https://example.com/a.svg)](https://example.com) ![x](https://a.b)',
    '<p><a href="https://example.com" rel="noreferrer">state</a> <a href="https://a.b" rel="noreferrer">x</a></p>\n',
  ],
])('%j', (text, markup) => expect(rendered(text)).toBe(markup))

test('a table has no inline style', () => {
  const table = rendered('|a|b|\n|-|-:|\n|1|2|')
  expect(table).toContain('<div class="wide" tabindex="0"><table>')
  expect(table).toContain('<td class="right">2</td>')
  expect(table).not.toContain('style=')
})

describe('what could run script is shown as text', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](vbscript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml,<svg onload=alert(1)>)',
    '<https://a"onmouseover="alert(1)>',
    '[x](https://a "t\\" onmouseover=\\"alert(1)")',
    '```"><script>\nx\n```',
    '| <b onclick=1> |\n|-|\n| <i> |',
  ])('%j', (text) => {
    expect(dangers(rendered(text))).toEqual([])
  })
  test('whatever is written', () => {
    const piece = fc.oneof(
      fc.constantFrom('<', '>', '"', "'", '`', '[', ']', '(', ')', '!', '#', '|', '-', '\n', '\\', '&', ';', ':', '~', '*', '_', ' '),
      fc.constantFrom('javascript:', 'data:text/html,', 'onload=', '<script>', '</a>', 'style=', '&#x6A;', 'https://a.b/'),
      fc.string({ maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(dangers(rendered(pieces.join('')))).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })
})

/** The tags and attributes of a markup that are not among those that Markdown makes. */
function dangers(markup: string): string[] {
  const tags = [...markup.matchAll(/<\/?([a-zA-Z][\w-]*)([^>]*)>/g)]
  const known = /^(?:p|h[2-6]|strong|em|s|ul|ol|li|a|img|code|pre|blockquote|hr|br|div|table|thead|tbody|tr|th|td)$/
  return tags.flatMap(([whole = '', name = '', attributes = '']) => {
    const rest = attributes.replace(/ (?:href|src|alt|title|class|rel|start|tabindex)="[^"<>]*"/g, '').trim()
    const address = /(?:href|src)="([^"]*)"/.exec(attributes)?.[1] ?? ''
    const runs = /^(?:javascript|vbscript|file|data(?!:image\/(?:gif|png|jpeg|webp);)):?/i.test(
      address.replace(/[\s\0]/g, '').replace(/^data$/, ''),
    )
    return known.test(name) && rest === '' && !runs ? [] : [whole]
  })
}

describe('a page stays small', () => {
  test('an address that is referred to often is not repeated without end', () => {
    for (const reference of ['[a]', '![a]']) {
      const shown = rendered(`[a]: /${'x'.repeat(40_000)} "t"\n\n${`${reference} `.repeat(10_000)}`)
      expect(shown.length).toBeLessThan(3_000_000)
      // Its words stay.
      expect(
        shown
          .replace(/<img[^>]*>/g, 'a')
          .replace(/<[^>]*>/g, '')
          .match(/\ba\b/g),
      ).toHaveLength(10_000)
    }
  })
  test('a text that is nested deeper than the parser follows is shown as it was typed, and nothing of it is lost', () => {
    expect(rendered(`${'>'.repeat(90)} deep`)).toContain('<blockquote>')
    for (const deep of ['>'.repeat(99), '>'.repeat(100), '>'.repeat(300), '- '.repeat(60)]) {
      expect(rendered(`${deep} deep`), deep).toContain('deep')
    }
    expect(rendered(`before\n\n${'>'.repeat(120)} <deep>`)).toBe(`<pre>before\n\n${'&gt;'.repeat(120)} &lt;deep&gt;</pre>`)
  })
  test('a very long text is shown as it was typed', () => {
    expect(rendered(`**${'x'.repeat(99_996)}**`)).toContain('<strong>')
    expect(rendered(`**<${'x'.repeat(99_996)}**`)).toMatch(/^<pre>\*\*&lt;x/)
  })
})

describe('how it begins, in words', () => {
  test.each([
    ['# Title\n\nSome **bold** [link](https://a.b) and `code`.', 'Title Some bold link and code.'],
    ['- one\n- two\n\n> three', 'one two three'],
    ['|a|b|\n|-|-|\n|1|2|', 'a b 1 2'],
    ['```js\nx()\n```', 'x()'],
    ['a  \nb\nc', 'a b c'],
    ['', ''],
    ['![alt](/a.png)', 'alt'],
    ['<b>x</b>', '<b>x</b>'],
  ])('%j', (text, words) => expect(markdownExcerpt(text)).toBe(words))
  test('is cut where it is long', () => {
    expect(markdownExcerpt('word '.repeat(100))).toMatch(/^(?:word ){31}word…$/)
    expect(markdownExcerpt(`a ${' '.repeat(2000)}b`)).toBe('a…')
    expect(markdownExcerpt(`a${'\n\nb'.repeat(50)}`)).toMatch(/^a(?: b)+…$/)
  })
  test('is not cut within a letter', () => {
    const letters = '😀'.repeat(1000)
    for (const text of [letters, `a${letters}`, `[a](https://example.com/${'x'.repeat(600)}) ${letters}`, `\`\`${letters}`]) {
      expect(markdownExcerpt(text).isWellFormed()).toBe(true)
    }
  })
})
