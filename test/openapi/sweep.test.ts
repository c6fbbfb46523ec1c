// Every answer that the documents of the demo declare, and those of a panel with something of everything, is provoked for real.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { nameOf, seen } from '../support/answers.js'
import { swept } from './sweep/panels.js'
import { provoke } from './sweep/provoke.js'
import { validAsk } from './sweep/valid.js'
import { openWorld, type World } from './sweep/world.js'

// What goes wrong on our side is logged, and here it goes wrong on purpose.
beforeAll(() => void vi.spyOn(process.stderr, 'write').mockReturnValue(true))
afterAll(() => void vi.restoreAllMocks())

describe.each(swept)('$name', (panel) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(panel)
  })
  afterAll(() => world.close())

  it('answers each operation with every status that it declares', { timeout: 300_000 }, async () => {
    const missed: string[] = []
    for (const operation of world.operations) {
      for (const status of world.statusesOf(operation)) {
        if (status === 500 || status === 503) continue
        const answer = await provoke(world, operation, status)
        if (answer.status !== status) missed.push(`${operation.id}: ${answer.status}, not ${status}: ${JSON.stringify(answer.json)}`)
        else if (!seen.answered.has(nameOf(world.house, operation.id, status) ?? ''))
          missed.push(`${operation.id} ${status} was not counted`)
      }
    }
    expect(missed).toEqual([])
  })

  it('refuses in each body what its schema does not allow', { timeout: 300_000 }, async () => {
    const missed: string[] = []
    for (const operation of world.operations) {
      const body = world.bodyOf(operation)
      if (!body) continue
      const { json, ...asked } = await validAsk(world, operation, 200)
      if (json !== undefined && !body.allows(json))
        missed.push(`${operation.id}: what goes through is not allowed: ${JSON.stringify(json)}`)
      for (const name of [...body.names, 'unknown'])
        for (const value of [true, 17, 'x', null, {}, [17], ['x']]) {
          const sent = { ...(json as object), [name]: value }
          if (body.allows(sent)) continue
          const answer = await world.ask({ ...asked, json: sent })
          if (answer.status !== 422) missed.push(`${operation.id}: ${answer.status}, not 422: ${JSON.stringify(sent)}`)
        }
    }
    expect(missed).toEqual([])
  })

  // Whoever asks is looked up before all else, so a panel whose database is damaged, or gone, says so whatever is asked.
  it.each([
    [500, 'is damaged', async ({ sql }: World) => sql('drop table daymark_sessions')],
    [503, 'is gone', ({ panel }: World) => panel.close()],
  ] as const)('answers %i where its database %s, and where it declares so alone', { timeout: 300_000 }, async (status, _, spoil) => {
    const spoiled = await openWorld(panel)
    try {
      const asked = []
      for (const operation of spoiled.operations) asked.push({ operation, ask: await validAsk(spoiled, operation, 200) })
      await spoil(spoiled)
      const missed: string[] = []
      for (const { operation, ask } of asked) {
        const answer = await spoiled.ask({ ...ask, headers: { ...spoiled.admin, ...ask.headers } })
        const declared = spoiled.statusesOf(operation).includes(status)
        if ((answer.status === status) !== declared) missed.push(`${operation.id}: ${answer.status}: ${JSON.stringify(answer.json)}`)
      }
      expect(missed).toEqual([])
    } finally {
      await spoiled.close()
    }
  })
})
