import { expect, it } from 'vitest'
import { DaymarkError } from '../base/errors.js'
import type { PresenterContext } from '../face/face.js'
import { problemBody } from './problem.js'

const at = { requestId: 'r1' } as PresenterContext

it('says what is wrong, by RFC 9457', () => {
  expect(problemBody(new DaymarkError('notFound', 'There is no such record'), at)).toEqual({
    type: 'urn:daymark:error:notFound',
    title: 'Not found',
    status: 404,
    detail: 'There is no such record',
    message: 'There is no such record',
    requestId: 'r1',
  })
})

it('names every field, whatever its name', () => {
  const names = ['name', '__proto__', 'constructor', 'toString', 'a"b', '', '\u2028', '0']
  const error = new DaymarkError('invalid', 'Wrong', { errors: names.map((name) => [name, [`about ${name}`]] as const) })
  const errors = JSON.parse(JSON.stringify(problemBody(error, at))).errors
  expect(new Set(Object.keys(errors))).toEqual(new Set(names))
  expect(Object.getOwnPropertyDescriptor(errors, '__proto__')?.value).toEqual(['about __proto__'])
})
