import { expect, test } from 'vitest'
import { Queue } from './queue.js'

const soon = () => performance.now() + 1000

test('nobody overtakes, not even in the moment of handing over', async () => {
  const queue = new Queue()
  const order: string[] = []
  let end = () => {}
  const first = queue.run(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
    soon(),
  )
  const second = queue.run(async () => order.push('second'), soon())
  end()
  // One of these enters between the end of the first and the start of the second.
  const others = Array.from({ length: 20 }, async (_, ticks) => {
    for (let tick = 0; tick < ticks; tick++) await null
    await queue.run(async () => order.push('other'), soon())
  })
  await Promise.all([first, second, ...others])
  expect(order).toEqual(['second', ...Array(20).fill('other')])
})

test('one at a time, whatever throws', async () => {
  const queue = new Queue()
  let inside = 0
  const work = async (fails: boolean) => {
    expect(++inside).toBe(1)
    await null
    inside--
    if (fails) throw new Error('no')
  }
  const all = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => queue.run(() => work(index % 2 === 0), soon())))
  expect(all.map((one) => one.status)).toEqual(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'rejected' : 'fulfilled')))
  expect(queue.free).toBe(true)
})

test('who gives up leaves the others their places', async () => {
  const queue = new Queue()
  let end = () => {}
  const first = queue.run(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
    soon(),
  )
  const second = queue.run(async () => 'second', performance.now() + 10)
  const third = queue.run(async () => 'third', Number.POSITIVE_INFINITY)
  await expect(second).rejects.toMatchObject({ code: 'unavailable' })
  end()
  await first
  expect(await third).toBe('third')
})

test('with several places: so many at a time, and the next in the order of asking', async () => {
  const queue = new Queue(3)
  const order: number[] = []
  let inside = 0
  let most = 0
  const work = async (one: number) => {
    most = Math.max(most, ++inside)
    order.push(one)
    await new Promise((resolve) => setTimeout(resolve, one % 3))
    inside--
  }
  await Promise.all(Array.from({ length: 20 }, (_, one) => queue.run(() => work(one), Number.POSITIVE_INFINITY)))
  expect(most).toBe(3)
  expect(order).toEqual(Array.from({ length: 20 }, (_, one) => one))
  expect([queue.free, inside]).toEqual([true, 0])
})
