import { expect, test } from 'vitest'
import { begun, type Edit, goneOn, linked, type Selected, wrapped } from '../../src/browser/form/markdown-marks.js'

// `[` and `]` stand where the selection begins and ends; `^` for both.
function selected(text: string): Selected {
  const from = text.search(/[[^]/)
  const to = text.includes('^') ? from : text.indexOf(']') - 1
  return { value: text.replace(/[[\]^]/g, ''), from, to }
}
function edited({ value, from, to, words, select }: Edit): string {
  const text = value.slice(0, from) + words + value.slice(to)
  const [start, end] = select
  return start === end
    ? `${text.slice(0, start)}^${text.slice(start)}`
    : `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`
}

test.each([
  ['^', '**^**'],
  ['**^**', '^'],
  ['a [b] c', 'a **[b]** c'],
  ['a **[b]** c', 'a [b] c'],
  // The marks may be selected, too.
  ['a [**b**] c', 'a [b] c'],
  // A mark beside a space is none.
  ['a[ b ]c', 'a **[b]** c'],
  ['a[ ]b', 'a**[ ]**b'],
  ['[😀]', '**[😀]**'],
  // No mark goes on after an empty line.
  ['[a\n\n  b ]c', '[**a**\n\n  **b**] c'],
])('bold: %j', (before, after) => expect(edited(wrapped(selected(before), '**'))).toBe(after))

test.each([
  ['[a\nb]', '[```\na\nb\n```]'],
  ['x [a\nb] y', 'x [\n```\na\nb\n```\n] y'],
  ['a [b]', 'a `[b]`'],
])('code: %j', (before, after) => expect(edited(wrapped(selected(before), '`'))).toBe(after))

test.each([
  ['- ', '^', '- ^'],
  ['- ', '\na^', '\n- a^'],
  ['- ', '^\na', '- ^\na'],
  // Whole lines are selected up to where the next one begins.
  ['- ', '[a\n]b', '- a^\nb'],
  ['- ', '[a\nb\n]', '[- a\n- b]\n'],
  ['- ', '[a\n\nb]', '[- a\n\n- b]'],
  ['- ', '[- a\n\n- b]', '[a\n\nb]'],
  ['1. ', '[a\n\nb]', '[1. a\n\n2. b]'],
  // One mark takes the place of another.
  ['1. ', '[- a\n- b]', '[1. a\n2. b]'],
  ['- ', '[1. a\n2) b]', '[- a\n- b]'],
  ['## ', '# a^', '## a^'],
  ['## ', '## a^', 'a^'],
  ['- ', '  - a^', '  a^'],
  ['> ', '- a^', '> - a^'],
])('%j before lines: %j', (mark, before, after) => expect(edited(begun(selected(before), mark))).toBe(after))

test.each([
  ['- a^', '- a\n- ^'],
  ['- ^a', '- \n- ^a'],
  ['- a\n- ^', '- a\n^'],
  ['- ^\nb', '^\nb'],
  ['  9) a^', '  9) a\n  10) ^'],
  ['> a^', '> a\n> ^'],
])('a new line: %j', (before, after) => {
  const edit = goneOn(selected(before))
  expect(edit && edited(edit)).toBe(after)
})

test.each(['a^', '^- a', '- [a]', '\n^- a'])('no new line of a list: %j', (before) => expect(goneOn(selected(before))).toBeNull())

test('a link selects what is missing', () => {
  expect(linked({ value: 'a b', from: 2, to: 3 }, 'https://')).toMatchObject({ words: '[b](https://)', select: [6, 14] })
  expect(linked({ value: 'https://a.b', from: 0, to: 11 }, 'https://')).toMatchObject({ words: '[](https://a.b)', select: [1, 1] })
})
