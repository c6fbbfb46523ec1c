import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Line, type Place } from './line.js'

test('who waits stands in the order of coming, whoever leaves, and however often', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant('enter' as const), fc.nat(20))), (steps) => {
      const line = new Line<number>()
      const places: Place<number>[] = []
      let waiting: number[] = []
      for (const step of steps) {
        if (step === 'enter') {
          waiting.push(places.length)
          places.push(line.enter(places.length))
        } else if (places[step]) {
          line.leave(places[step])
          waiting = waiting.filter((one) => one !== step)
        }
        expect(standing(line)).toEqual(waiting)
      }
    }),
  )
})

test('who has left leads to nobody', () => {
  const line = new Line<string>()
  const [, middle] = ['a', 'b', 'c'].map((one) => line.enter(one)) as [Place<string>, Place<string>, Place<string>]
  line.leave(middle)
  expect([middle.before, middle.after]).toEqual([null, null])
  expect(standing(line)).toEqual(['a', 'c'])
})

/** The entries from first to last. Walking back from last to first must give the same. */
function standing<T>({ first }: Line<T>): T[] {
  const [found, back]: [T[], T[]] = [[], []]
  let last = first
  for (let place = first; place; place = place.after) {
    found.push(place.one)
    last = place
  }
  for (let place = last; place; place = place.before) back.unshift(place.one)
  expect(back).toEqual(found)
  return found
}
