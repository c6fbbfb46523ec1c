import { expect, test } from 'vitest'
import * as z from 'zod'
import { html } from '../base/html.js'
import { defineKind } from './kind.js'

const stage = defineKind<
  string,
  { event(...names: string[]): { events: readonly string[] }; marks(...names: string[]): { marks: readonly string[] } }
>({
  name: 'stage',
  columns: ['text'],
  own: { event: (...events) => ({ events }), marks: (...marks) => ({ marks }) },
  adds: ['marks'],
  schema: () => z.string(),
  input: () => html``,
})

test('a further call of a method adds to its list where the kind says so, and else begins it anew', () => {
  const once = stage().marks('a').event('x')
  const twice = once.marks('b', 'a').event('y')
  expect(twice.facts).toMatchObject({ marks: ['a', 'b', 'a'], events: ['y'] })
  expect(once.facts).toMatchObject({ marks: ['a'], events: ['x'] })
})
