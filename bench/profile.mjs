// Where Daymark spends its time: a CPU profile of each work, summed up by room (the folders of src) and by dependency.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from './child.mjs'
import { load } from './load.mjs'
import { connections } from './works.mjs'

/** Profiles each work in a server of its own and prints one line for each. */
export async function profile(works, { folder, DB, warm, milliseconds }) {
  console.log('\nWhere our time goes, of the CPU time of a request:\n')
  for (const work of works) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    const server = await startServer('serve-posts.mjs', { DB, ...(work.changed && { CHANGED: work.changed }) }, [
      '--cpu-prof',
      `--cpu-prof-dir=${folder}`,
    ])
    const ask = async (milliseconds, most) =>
      load({ connections, ...(await work.begin({ ...server, name: 'profiled' })), port: server.port, milliseconds, most })
    await ask(...warm(120, work))
    const { cpu } = await server.usage()
    const { requests } = await ask(milliseconds)
    const microseconds = ((await server.usage()).cpu - cpu) / requests
    if (requests === 0) throw new Error(`"${work.name}" found nothing to do`)
    await server.stop()
    const [file] = readdirSync(folder)
    console.log(
      `- ${work.name} (${Math.round(microseconds)} µs): ${sentence(sharesOf(JSON.parse(readFileSync(join(folder, file), 'utf8'))))}.`,
    )
  }
}

function sentence(shares) {
  return [...shares]
    .filter(([, share]) => share >= 0.015)
    .sort(([, a], [, b]) => b - a)
    .map(([name, share]) => `${Math.round(share * 100)} % ${name}`)
    .join(', ')
}

/** The owner of a script, by its URL; the first match wins. */
const owners = [
  [/\/node_modules\/(?:libsql|@libsql|@neon-rs|better-sqlite3)\//, 'SQLite and its driver'],
  [/\/node_modules\/zod\//, 'zod'],
  [/\/node_modules\/drizzle-orm\//, 'Drizzle'],
  [/^node:/, 'node:http, streams and timers'],
]

function sharesOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const owner = new Map()
  const ownerOf = (id) => {
    let found = owner.get(id)
    if (found === undefined) {
      found = named(byId.get(id).callFrame) ?? (parents.has(id) ? ownerOf(parents.get(id)) : null)
      owner.set(id, found)
    }
    return found
  }
  // Only the last second: the time before includes startup and warm-up.
  const last = timeDeltas.reduce((sum, delta) => sum + delta, 0) - 1_000_000
  const times = new Map()
  let [now, all] = [0, 0]
  for (const [i, id] of samples.entries()) {
    now += timeDeltas[i]
    const found = now < last ? null : ownerOf(id)
    if (found === null) continue
    times.set(found, (times.get(found) ?? 0) + timeDeltas[i])
    all += timeDeltas[i]
  }
  return [...times].map(([name, time]) => [name, time / all])
}

/** Native code counts for its caller; idle time for nobody. */
function named({ url, functionName, lineNumber }) {
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)') return 'the system: sockets and files'
  if (functionName === '(idle)' || functionName === '(root)') return null
  const ours = url.includes('/dist/') && !url.includes('/node_modules/')
  return ours ? roomAt(fileURLToPath(url), lineNumber) : owners.find(([pattern]) => pattern.test(url))?.[1]
}

const rooms = new Map()

/** The room of a line in a bundle: esbuild writes a comment before each module. */
function roomAt(file, line) {
  if (!rooms.has(file)) {
    let room = null
    const all = readFileSync(file, 'utf8')
      .split('\n')
      .map((text) => {
        const found = /^\/\/ (?:(\w+)\/)?[\w/-]+\.js$/.exec(text)
        if (found) room = `${found[1] ?? 'panel'}/`
        return room
      })
    rooms.set(file, all)
  }
  return rooms.get(file)[line] ?? undefined
}
