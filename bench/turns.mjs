// Several servers, asked in turns: what one slice of a machine's time is like, the next one is like, too.
import { load } from './load.mjs'
import { connections } from './works.mjs'

/**
 * So long, and so many requests, until V8 is done with what runs often: a server by hand is after some 6,000 requests, ours, of which more runs, after 20,000 and more.
 *
 * @param milliseconds of a slice that is measured
 */
export const warm = (milliseconds, { warm = 20_000 }) => [30 * milliseconds, warm]

/**
 * Measures each work against each of its servers: what a request of each round costs.
 *
 * @param namesFor the names of the servers that do a work
 */
export async function inTurns(servers, works, { namesFor, rounds, milliseconds }) {
  const slice = async (name, work, milliseconds, most) => {
    const server = servers.find((one) => one.name === name)
    const asked = await work.begin(server)
    const before = await server.usage()
    const { requests, seconds } = await load({ connections, ...asked, port: server.port, milliseconds, most })
    const { cpu } = await server.usage()
    // None at all, where there was nothing left to delete.
    return { rate: requests / seconds, cpu: (cpu - before.cpu) / Math.max(1, requests) }
  }
  for (const work of works) for (const name of namesFor(work)) await slice(name, work, ...warm(milliseconds, work))
  const results = works.map((work) => ({ ...work, rounds: [] }))
  for (let round = 0; round < rounds; round++)
    for (const [i, work] of works.entries()) {
      const all = {}
      const names = namesFor(work)
      // Who went first goes last the next time.
      for (const name of round % 2 === 0 ? names : names.toReversed()) all[name] = await slice(name, work, milliseconds)
      results[i].rounds.push(all)
    }
  return results
}
