import { serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attributes, block, escapeHtml, html, raw, safeUrl } from './html.js'

describe('html', () => {
  it('escapes every value and prints nothing for nothing', () => {
    expect(String(html`<b title="${'"<'}">${'<i>'}${null}${undefined}${false}${true}${[1, raw('<br>'), "'"]}</b>`)).toBe(
      '<b title="&quot;&lt;">&lt;i&gt;1<br>&#39;</b>',
    )
  })
  it('lets no text open a tag or leave an attribute', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[<>"']/.test(escapeHtml(text))))
  })
  it('writes signs as references, which mean the same, and letters as they are', () => {
    expect(escapeHtml('“Größe” – 1\u00a0µm → ✓…')).toBe('&#8220;Größe&#8221; &#8211; 1&#160;&#181;m &#8594; &#10003;&#8230;')
    const named: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>' }
    const read = (text: string) =>
      text.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) => (name ? (named[name] as string) : String.fromCharCode(code)))
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => read(escapeHtml(text)) === text))
  })
  it('leaves a text whose signs are written as references in one byte a character', () => {
    for (const text of ['Go to …', '“1–25” & <more>', '… ']) {
      const escaped = escapeHtml(text)
      // V8 serializes a string as it stores it: with one byte per character, or with two.
      expect(serialize(escaped).length).toBeLessThan(escaped.length + 8)
    }
  })
  it('does not take a look-alike object for markup', () => {
    expect(String(html`${{ toString: () => '<b>' } as never}`)).toBe('')
  })
})

describe('block', () => {
  const on = html` data-on`
  it('prints a template over several lines as html prints it in one', () => {
    const lines = block`
      <form
        class="a > b"
        ${on}
        ${false}
        action="${'"<'}"
      >
        <input
          type="text"${on}
          value="${'  '}"
        >
        ${'a < b'} <b>c</b>
        text${block`
          <i>d</i>
        `}
      </form>
    `
    expect(String(lines)).toBe(
      String(
        html`<form class="a > b"${on}${false} action="${'"<'}"><input type="text"${on} value="${'  '}">${'a < b'} <b>c</b>text<i>d</i></form>`,
      ),
    )
  })
  it('leaves the line breaks of values, and spaces within a line', () => {
    expect(
      String(block`
        <pre>${'a\n  b'}</pre>  <a href="/x">1 < 2</a>
      `),
    ).toBe('<pre>a\n  b</pre>  <a href="/x">1 < 2</a>')
  })
  it('prints the same, wherever lines are broken between elements and attributes', () => {
    const piece = fc.constantFrom('<a', ' b="1"', ' c', '>', '</a>', 'word', '<br>')
    const all = fc.array(fc.tuple(piece, fc.option(fc.nat(12))), { minLength: 1, maxLength: 20 })
    const templateOf = (strings: readonly string[]) => Object.assign([...strings], { raw: strings }) as unknown as TemplateStringsArray
    fc.assert(
      fc.property(all, (pieces) => {
        // Of what comes, only that which is markup where it stands.
        let inTag = false
        const [one, several] = [[], []] as string[][]
        for (const [text, indent] of pieces) {
          const isOfTag = text.startsWith(' ') || text === '>'
          if (isOfTag !== inTag) continue
          if (text === '<a') inTag = true
          if (text === '>') inTag = false
          const broken = indent === null ? text : `\n${' '.repeat(indent)}${text.trimStart()}`
          one?.push(text)
          several?.push(broken)
        }
        expect(String(block(templateOf([several?.join('') as string])))).toBe(one?.join(''))
      }),
    )
  })
})

describe('attributes', () => {
  it('prints true as a bare name and nothing for false', () => {
    expect(String(attributes({ class: 'a "b"', hidden: true, title: null, id: undefined, 'data-n': 0, x: false }))).toBe(
      ' class="a &quot;b&quot;" hidden data-n="0"',
    )
  })
  it.each(['onclick', 'a b', 'a=b', '"', 'a>', '', 'ONload', 'srcdoc'])('refuses the name %j', (name) => {
    expect(() => attributes({ [name]: 'x' })).toThrow(TypeError)
  })
  it('keeps script out of links', () => {
    expect(String(attributes({ href: 'java\nscript:alert(1)' }))).toBe(' href="#"')
    for (const url of ['/a', 'https://a.example/?b:c', 'mailto:a@b.c', 'a?b=javascript:']) expect(safeUrl(url)).toBe(url)
    for (const url of ['javascript:1', ' data:text/html,x', 'VBScript:x', '\u0001javascript:x']) expect(safeUrl(url)).toBe('#')
  })
})
