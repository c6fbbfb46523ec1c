import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Panel } from 'daymark'
import { afterEach, describe, expect, test } from 'vitest'
import { withExpress } from '../../examples/mounts/express.js'
import { withFastify } from '../../examples/mounts/fastify.js'
import { withHono } from '../../examples/mounts/hono.js'
import { routeHandlers } from '../../examples/mounts/next-route.js'
import { withNodeHttp } from '../../examples/mounts/node-http.js'
import { notesPanel } from '../../examples/mounts/panel.js'

const below = '/back-office'
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Host = (panel: Panel) => Promise<Server>

const hosts: Record<string, Host> = {
  Express: async (panel) => createServer(withExpress(panel, below)),
  Fastify: async (panel) => {
    const app = await withFastify(panel, below)
    await app.ready()
    return app.server
  },
  Hono: async (panel) => createServer(getRequestListener(withHono(panel, below).fetch)),
  'bare node:http': async (panel) => withNodeHttp(panel, below),
  'a route handler of Next': async (panel) => {
    const handlers: Record<string, (request: Request) => Promise<Response>> = routeHandlers(panel)
    return createServer(
      getRequestListener(async (request) => {
        const handler = new URL(request.url).pathname.startsWith(below) ? handlers[request.method] : undefined
        return handler ? asNextSends(await handler(request)) : new Response('the application itself')
      }),
    )
  },
}

/** What `next/dist/server/send-response.js` makes of an answer. */
function asNextSends({ status, headers: given, body }: Response): Response {
  const headers = new Headers(given)
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  return new Response(body, { status, headers })
}

async function start(host: Host): Promise<string> {
  const panel = notesPanel(`http://127.0.0.1${below}`)
  const server = await host(panel)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  closing.push(() => panel.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json = { accept: 'application/json', 'content-type': 'application/json' }

describe.each(Object.entries(hosts))('mounted in %s, below a path', (_, host) => {
  test('both faces work, and every address carries the path', async () => {
    const base = await start(host)
    const list = `${base}${below}/admin/resource/notes/crud`
    const page = await fetch(list)
    const text = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const addresses = [...text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, address]) => address as string)
    expect(addresses.length).toBeGreaterThan(5)
    expect(addresses.filter((address) => !address.startsWith(`${below}/admin`))).toEqual([])
    const style = addresses.find((address) => address.endsWith('.css')) as string
    const styles = await fetch(base + style)
    expect(styles.headers.get('content-type')).toContain('text/css')
    expect(await styles.text()).toContain('color-scheme:')

    const created = await fetch(list, { method: 'POST', headers: json, body: '{"title":"Second"}' })
    expect([created.status, created.headers.get('location')]).toEqual([201, `${below}/admin/resource/notes/crud/2`])
    const changed = await fetch(`${list}/2`, { method: 'PUT', headers: json, body: '{"title":"Two"}' })
    expect(await changed.json()).toMatchObject({ data: { id: 2, title: 'Two' } })
    const form = new URLSearchParams({ _method: 'PUT', title: 'From a form' })
    const posted = await fetch(`${list}/1`, { method: 'POST', body: form, redirect: 'manual', headers: { origin: base } })
    expect([posted.status, posted.headers.get('location')]).toEqual([303, `${below}/admin/resource/notes/crud/1`])
    expect((await fetch(`${list}/2`, { method: 'DELETE', headers: json })).status).toBe(200)
    expect(await (await fetch(list, { headers: json })).json()).toMatchObject({ data: [{ title: 'From a form' }], meta: { total: 1 } })
  })

  test('the application keeps what is its own', async () => {
    const base = await start(host)
    expect(await (await fetch(`${base}/own`)).text()).toBe('the application itself')
  })
})
