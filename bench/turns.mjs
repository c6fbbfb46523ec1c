// Measures servers in alternating slices, so that changes in the machine's speed affect all alike.
import { load } from './load.mjs'
import { connections } from './works.mjs'

/**
 * The time and requests until V8 has optimized the hot code: about 6,000 requests for a handwritten server, over 20,000 for ours.
 *
 * @param milliseconds the length of a measured slice
 */
export const warm = (milliseconds, { warm = 20_000 }) => [30 * milliseconds, warm]

/**
 * Measures each work on its servers: rate and CPU time per request in each round.
 *
 * @param namesFor the names of the servers that run a work
 */
export async function inTurns(servers, works, { namesFor, rounds, milliseconds }) {
  const slice = async (name, work, milliseconds, most) => {
    const server = servers.find((one) => one.name === name)
    const asked = await work.begin(server)
    const before = await server.usage()
    const { requests, seconds } = await load({ connections, ...asked, port: server.port, milliseconds, most })
    const { cpu } = await server.usage()
    // There may be no requests, if nothing was left to delete.
    return { rate: requests / seconds, cpu: (cpu - before.cpu) / Math.max(1, requests) }
  }
  for (const work of works) for (const name of namesFor(work)) await slice(name, work, ...warm(milliseconds, work))
  const results = works.map((work) => ({ ...work, rounds: [] }))
  for (let round = 0; round < rounds; round++)
    for (const [i, work] of works.entries()) {
      const all = {}
      const names = namesFor(work)
      // Alternates the order.
      for (const name of round % 2 === 0 ? names : names.toReversed()) all[name] = await slice(name, work, milliseconds)
      results[i].rounds.push(all)
    }
  return results
}
