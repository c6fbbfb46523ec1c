import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Answer, requestOf, type Scenario } from './scenario.js'
import { badBody } from './scenarios/bad-body.js'
import { door } from './scenarios/door.js'
import { list } from './scenarios/list.js'
import { query } from './scenarios/query.js'
import { remove } from './scenarios/remove.js'
import { show } from './scenarios/show.js'
import { version } from './scenarios/version.js'
import { write } from './scenarios/write.js'
import { openWorld, type World } from './world.js'

/** There are two ways in, `fetch` and `listener`: what comes out must be the same, byte for byte. */
type Lane = (world: World, request: Request) => Promise<Said>

interface Said {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
}

const byFetch: Lane = async ({ panel }, request) => {
  const response = await panel.fetch(request)
  return said(response.status, [...response.headers], await response.text())
}

const byListener: Lane = async ({ panel }, request) => {
  const body = Buffer.from(await request.arrayBuffer())
  // The longest address is a matter of the panel here, not of node:http.
  const server = createServer({ maxHeaderSize: 65_536 }, panel.listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const { host, pathname, search } = new URL(request.url)
    const headers = { host, ...Object.fromEntries(request.headers), ...(body.length > 0 && { 'content-length': body.length }) }
    return await new Promise<Said>((resolve, reject) => {
      const sent = sendRequest({ port, method: request.method, path: pathname + search, headers, agent: false }, (answer) => {
        const chunks: Buffer[] = []
        const pairs = Array.from({ length: answer.rawHeaders.length / 2 }, (_, i): [string, string] => [
          (answer.rawHeaders[2 * i] as string).toLowerCase(),
          answer.rawHeaders[2 * i + 1] as string,
        ])
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => resolve(said(answer.statusCode as number, pairs, Buffer.concat(chunks).toString('utf8'))))
      })
      sent.on('error', reject).end(body)
    })
  } finally {
    server.close()
  }
}

// What node:http says for the connection, and what no two answers have in common.
const ofTheWire = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'x-request-id'])
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

function said(status: number, headers: readonly (readonly [string, string])[], text: string): Said {
  const shown = headers.filter(([name]) => !ofTheWire.has(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  return { status, headers: shown, text: text.replace(uuid, 'uuid').replace(/(?<=name="_once" value=")[^"]*/g, '') }
}

async function play(scenario: Scenario, lane: Lane): Promise<Said> {
  const world = await openWorld('the memory store')
  try {
    const before: Answer[] = []
    for (const step of scenario.before ?? []) {
      const { status, headers, text } = await lane(world, requestOf(step))
      before.push({
        status,
        headers: new Headers(headers as [string, string][]),
        text,
        json: text.startsWith('{') ? JSON.parse(text) : null,
      })
    }
    return await lane(world, requestOf(typeof scenario.request === 'function' ? scenario.request(before) : scenario.request))
  } finally {
    await world.close()
  }
}

describe.each(Object.entries({ door, list, query, show, write, version, remove, badBody }))('%s', (_, scenarios) => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    expect(await play(scenario, byListener)).toEqual(await play(scenario, byFetch))
  })
})
