// npm run bench: compares Daymark with a handwritten server, in turns on the same rows, then profiles Daymark by room.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildStale } from '../scripts/build.mjs'
import { installMissing } from '../scripts/install.mjs'
import { main, root } from '../scripts/run.mjs'
import { startServer } from './child.mjs'
import { frameOf } from './frame.mjs'
import { ask, requestText } from './load.mjs'
import { median, printMachine, printTable } from './print.mjs'
import { driver } from './sqlite.mjs'
import { inTurns, warm } from './turns.mjs'
import { connections, worksOf } from './works.mjs'

const { ROWS = '10000,100000', ROUNDS = '25', MS = '120' } = process.env
const sizes = ROWS.split(',').map(Number)
const fileOf = (rows) => join(root, `.cache/posts-${rows}.db`)
const rounds = Number(ROUNDS)
const milliseconds = Number(MS)
const hand = 'by-hand.mjs'
const ours = 'serve-posts.mjs'
/**
 * The servers: handwritten plainly, with prepared statements and rows as arrays, and with our caching, too; and ours. Each but that with
 * caching also with the database seemingly changed before each list.
 */
const variants = [
  { name: 'plain', script: hand, env: { PLAIN: '1' } },
  { name: 'plain, changed', script: hand, env: { PLAIN: '1', CHANGED: '1' } },
  { name: 'hand', script: hand, env: {} },
  { name: 'hand, changed', script: hand, env: { CHANGED: '1' } },
  { name: 'tricks', script: hand, env: { TRICKS: '1' } },
  { name: 'ours', script: ours, env: {} },
  { name: 'rows', script: ours, env: { CHANGED: 'rows' } },
  { name: 'elsewhere', script: ours, env: { CHANGED: 'elsewhere' } },
]
/** Which of them do a work, by the names of the columns. */
const rolesOf = ({ changed }) => ({
  plain: changed ? 'plain, changed' : 'plain',
  hand: changed ? 'hand, changed' : 'hand',
  tricks: 'tricks',
  ours: changed ?? 'ours',
})
/** How long a server rests before its idle memory is measured, in seconds: V8 gives back what the start took after some ten. */
const rest = 15
const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))

await main(async () => {
  process.chdir(root)
  await installMissing()
  await buildStale()
  // Dynamic imports, since these need what has just been built.
  const { ensurePosts } = await import('./posts.mjs')
  const { profile } = await import('./profile.mjs')
  const machine = { cores: availableParallelism(), busy: loadavg()[0], rounds, milliseconds, connections }
  const asked = process.argv.slice(2)
  if (asked.includes('--postgres') || asked.includes('--peers')) {
    const { benchPostgres } = await import('./postgres.mjs')
    return benchPostgres({ sizes, peers: asked.includes('--peers'), folder, ...machine })
  }
  printMachine(machine, `${driver}, journal_mode = WAL, synchronous = FULL`)
  try {
    for (const rows of sizes) {
      ensurePosts(fileOf(rows), rows)
      printTable(rows, await measure(fileOf(rows), rows))
    }
    const [rows] = sizes
    const DB = join(folder, 'profiled.db')
    copyFileSync(fileOf(rows), DB)
    const works = worksOf({ path: '/admin/resource/posts/crud', rows, cursors: await cursorsOf(DB, rows) })
    await profile(works, { folder: join(folder, 'profile'), DB, warm, milliseconds: 2_000 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function measure(file, rows) {
  // Each server writes, so each gets its own copy.
  const fileOf = ({ name }) => join(folder, `${rows}-${name}.db`)
  for (const variant of variants) copyFileSync(file, fileOf(variant))
  const FRAME = join(folder, 'frame.json')
  const start = async (variant) => ({
    ...(await startServer(variant.script, { DB: fileOf(variant), FRAME, ...variant.env })),
    name: variant.name,
    script: variant.script,
  })
  const [byHand, own] = ['hand', 'ours'].map((name) => variants.find((one) => one.name === name))
  const first = await start(own)
  writeFileSync(FRAME, JSON.stringify(await frameOf(first)))
  await first.stop()
  const starts = await startInTurns([byHand, own], async (variant) => {
    const before = performance.now()
    const server = await start(variant)
    await ask(server.port, requestText('GET', server.path))
    const milliseconds = performance.now() - before
    const after = async (seconds) => {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
      return (await server.usage()).memory / 2 ** 20
    }
    const answered = await after(0.3)
    const idle = await after(rest)
    await server.stop()
    return { milliseconds, answered, idle }
  })
  const servers = await Promise.all(variants.map(start))
  const works = worksOf({ path: first.path, rows, cursors: await cursorsOf(file, rows) })
  const notes = await compare(servers, works)
  const namesFor = (work) => Object.values(rolesOf(work))
  const measured = await inTurns(servers, works, { namesFor, rounds, milliseconds })
  const results = measured.map((one) => ({
    ...one,
    rounds: one.rounds.map((all) => Object.fromEntries(Object.entries(rolesOf(one)).map(([role, name]) => [role, all[name]]))),
  }))
  const loaded = await Promise.all([byHand, own].map(({ name }) => servers.find((one) => one.name === name).usage()))
  await Promise.all(servers.map((server) => server.stop()))
  return { results, starts, rest, loaded: loaded.map(({ memory }) => memory / 2 ** 20), notes }
}

/** Starts each server several times, in turns, and returns the medians. */
async function startInTurns(some, work) {
  const found = some.map(() => [])
  for (let round = 0; round < 5; round++) for (const [i, variant] of some.entries()) found[i].push(await work(variant))
  return found.map((all) =>
    Object.fromEntries(['milliseconds', 'answered', 'idle'].map((what) => [what, median(all.map((one) => one[what]))])),
  )
}

/** By server script. */
async function cursorsOf(file, rows) {
  const { cursorsAt90 } = await import('./cursors.mjs')
  const found = await cursorsAt90(file, rows)
  return new Map([
    [hand, found.byHand],
    [ours, found.ours],
  ])
}

/** Notes where the servers' answers differ, since they would then not do the same work. */
async function compare(servers, works) {
  const notes = []
  // The variant `rows` changes rows.
  const alike = servers.filter(({ name }) => name !== 'rows')
  for (const { name, begin } of works.filter(({ name }) => /^listing, (?!after)/.test(name))) {
    const bodies = await Promise.all(
      alike.map(async (server) =>
        (await ask(server.port, (await begin(server)).next())).body().replaceAll(/"\w*[cC]ursor":"[\w-]+"|cursor=[\w-]+/g, ''),
      ),
    )
    // Only JSON is compared: in HTML, only our rows have the attributes that scripts need.
    if (new Set(bodies).size > 1)
      notes.push(`"${name}" is not the same text from all (${bodies.map(({ length }) => length).join(', ')} characters)`)
  }
  return notes
}
