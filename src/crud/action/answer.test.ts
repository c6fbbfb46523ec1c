import { describe, expect, test } from 'vitest'
import { html } from '../../base/html.js'
import { bindActions } from '../../resource/action/bind-action.js'
import { answerOf, htmlText } from './answer.js'

const action = bindActions({ go: { redirectsTo: ['https://example.com'], run: () => '' } }).get('go')
if (!action) throw new Error('It was declared')

test('a text is the message, nothing is nothing', () => {
  expect(answerOf(action, 'Done')).toEqual({ message: 'Done' })
  expect(answerOf(action, undefined)).toEqual({})
  expect(() => answerOf(action, 5)).toThrow('no answer')
  expect(() => answerOf(action, ['x'])).toThrow('no answer')
})

describe('a redirect', () => {
  test.each(['/', '/admin/resource/cities/crud?page=2#x', '/a//b', 'https://example.com', 'https://example.com/x?y'])(
    'to %s',
    (redirect) => {
      expect(answerOf(action, { redirect })).toEqual({ redirect })
    },
  )

  test.each([
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/\t/elsewhere.example',
    'https://elsewhere.example',
    'https://example.com@elsewhere.example',
    'https://example.com.elsewhere.example',
    'http://example.com',
    'javascript:alert(1)',
    'relative',
    '',
  ])('not to %j', (redirect) => {
    expect(() => answerOf(action, { redirect })).toThrow('redirectsTo')
  })
})

test('what is no markup is text', () => {
  expect(htmlText(html`<b>${'<'}</b>`)).toBe('<b>&lt;</b>')
  expect(htmlText('<script>' as never)).toBe('&lt;script&gt;')
  expect(htmlText({ a: html`<i>x</i>`, b: '<u>' as never })).toEqual({ a: '<i>x</i>', b: '&lt;u&gt;' })
})
