import { afterEach, beforeEach, expect, it } from 'vitest'
import { openWorld, type World } from './world.js'

let world: World
beforeEach(async () => {
  world = await openWorld('the memory store')
})
afterEach(() => world.close())

async function send(method: string, path: string, headers: Record<string, string>) {
  let read = 0
  const body = new ReadableStream(
    {
      pull(controller) {
        read += 1
        controller.enqueue(new TextEncoder().encode('{"name":"x"}'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const given = { method, body, duplex: 'half', headers: { accept: 'application/json', 'content-type': 'application/json', ...headers } }
  const { status } = await world.panel.fetch(new Request(`http://127.0.0.1:3000${path}`, given as RequestInit))
  return { status, read }
}

it('reads the body of who may write', async () => {
  expect(await send('PUT', '/admin/resource/cities/crud/1', {})).toEqual({ status: 200, read: 1 })
})

it.each<[why: string, status: number, method: string, path: string, headers: Record<string, string>]>([
  ['who may not', 403, 'PUT', '/admin/resource/archives/crud/1', {}],
  ['who may not, by a form', 403, 'POST', '/admin/resource/archives/crud/1', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['who may not create', 403, 'POST', '/admin/resource/archives/crud', {}],
  ['a page elsewhere', 403, 'PUT', '/admin/resource/cities/crud/1', { origin: 'http://evil.example' }],
  ['a foreign host', 421, 'PUT', '/admin/resource/cities/crud/1', { host: 'evil.example' }],
  ['an unknown resource', 404, 'PUT', '/admin/resource/towns/crud/1', {}],
  ['an unknown path', 404, 'PUT', '/admin/nothing', {}],
  ['a wrong method', 405, 'PUT', '/admin/resource/cities/crud', {}],
  ['an answer that we do not have', 406, 'PUT', '/admin/resource/cities/crud/1', { accept: 'image/png' }],
  ['a delete of one', 200, 'DELETE', '/admin/resource/cities/crud/1', {}],
  ['a body that says it is too large', 413, 'PUT', '/admin/resource/cities/crud/1', { 'content-length': '50001' }],
])('does not read the body of %s', async (_why, status, method, path, headers) => {
  expect(await send(method, path, headers)).toEqual({ status, read: 0 })
})
