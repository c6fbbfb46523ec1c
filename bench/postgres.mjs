// npm run bench -- --postgres: ours and a handwritten server on the same rows in PostgreSQL. With --peers, AdminJS, too.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createJiti } from 'jiti'
import pg from 'pg'
import { startServer } from './child.mjs'
import { cursorsAt90 } from './cursors.mjs'
import { frameOf } from './frame.mjs'
import { installAdminJs, worksOfAdminJs } from './peers.mjs'
import { postsForPostgres } from './posts.mjs'
import { printMachine, printRates } from './print.mjs'
import { inTurns } from './turns.mjs'
import { worksOf } from './works.mjs'

const hand = 'by-hand-postgres.mjs'
const ours = 'serve-posts.mjs'

export async function benchPostgres({ sizes, peers, folder, ...machine }) {
  const peer = peers ? await installAdminJs() : null
  const support = await createJiti(import.meta.url).import('../test/support/postgresql.ts')
  const database = await support.startServer({ durable: true })
  try {
    const version = (await inDatabase(database.url, 'show server_version')).rows[0].server_version
    printMachine(machine, `PostgreSQL ${version} as it is delivered, a pool of 10 connections each`)
    for (const rows of sizes) await measure({ url: database.url, rows, folder, peer, ...machine })
  } finally {
    await database.remove()
  }
}

async function measure({ url, rows, folder, peer, rounds, milliseconds }) {
  await inDatabase(url, `create database posts_${rows}`)
  for (const statement of postsForPostgres(rows).split(';')) await inDatabase(at(url, `posts_${rows}`), statement)
  const variants = [
    { name: 'plain', script: hand, env: { PLAIN: '1' } },
    { name: 'by hand', script: hand },
    { name: 'ours', script: ours },
    ...(peer ? [{ name: 'AdminJS', script: peer.script, flags: peer.flags }] : []),
  ]
  const FRAME = join(folder, 'frame.json')
  const start = async ({ name, script, flags, env }, i) => {
    const DB = at(url, `posts_${rows}_${i}`)
    return { ...(await startServer(script, { DB, FRAME, ...peer?.env, ...env }, flags)), name }
  }
  // Each server writes, so each gets its own copy.
  for (const i of variants.keys()) await inDatabase(url, `create database posts_${rows}_${i} template posts_${rows}`)
  const first = await start(variants[2], 2)
  writeFileSync(FRAME, JSON.stringify(await frameOf(first)))
  await first.stop()
  const servers = []
  for (const [i, variant] of variants.entries()) servers.push(await start(variant, i))
  try {
    const found = await cursorsAt90(at(url, `posts_${rows}_2`), rows)
    const cursors = new Map([
      [hand, found.byHand],
      [ours, found.ours],
    ])
    // Without a cache over PostgreSQL, the variants with unchanged data would repeat the same work.
    const works = worksOf({ path: first.path, rows, cursors })
      .filter(({ name }) => !/, (?:data unchanged|changed elsewhere)$/.test(name))
      .map((work) => ({ ...work, name: work.name.replace(', rows changed', '') }))
    const theirs = peer ? worksOfAdminJs(rows) : new Map()
    const both = works.map((work) => ({
      ...work,
      begin: (server) => (server.name === 'AdminJS' ? theirs.get(work.name).begin(server) : work.begin(server)),
    }))
    const namesFor = ({ name }) => ['plain', 'by hand', 'ours', ...(theirs.has(name) ? ['AdminJS'] : [])]
    const results = await inTurns(servers, both, { namesFor, rounds, milliseconds })
    printRates(
      rows,
      results,
      variants.map(({ name }) => name),
    )
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const at = (url, name) => Object.assign(new URL(url), { pathname: name }).href

async function inDatabase(connectionString, sql) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
