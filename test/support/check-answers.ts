// Every JSON answer of every test is held against the document of the panel that gave it: its status, its type, its headers and its body.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, vi } from 'vitest'
import type { App } from '../../src/http/app.js'
import { probeOf } from '../../src/http/probe.js'
import type { AppOptions } from '../../src/http/request-context.js'
import type { Checker, Seen, Sent } from './answers.js'

// Null until there is an answer: what holds it against the document takes longer to load than most tests that ask no panel.
let all: Seen | null = null

const { faults } = vi.hoisted(() => ({ faults: [] as string[] }))

vi.mock('../../src/http/app.js', async (original) => {
  const door = await original<{ createApp(options: AppOptions): App }>()
  return { ...door, createApp: (options: AppOptions) => checked(door.createApp(options), options) }
})

function checked(app: App, options: AppOptions): App {
  // A door without our routes is another test's own.
  if (!options.routes.some((one) => one.name === 'crud.index')) return app
  let checker: Checker | null = null
  const check = async (sent: Sent): Promise<void> => {
    if (checker === null) {
      const { checkerOf, seen } = await import('./answers.js')
      all = seen
      checker = checkerOf(options)
    }
    const fault = checker(sent)
    if (fault !== null) faults.push(fault)
  }
  const { mount, prefix } = options.place
  const lists = [...options.realm.resources.values()]
    .filter((one) => !one.usePagination)
    .map((one) => `${mount}/${prefix.panel}/${prefix.resource}/${one.uriKey}/`)
  const isStreamed = (url: string) => lists.some((list) => new URL(url).pathname.startsWith(list))
  const isForm = (type: string | null) => /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type ?? '')
  return {
    async fetch(request, given) {
      const { method, url } = request
      const form = isForm(request.headers.get('content-type'))
      const response = await app.fetch(request, given)
      // A test asks as nobody even where everybody is somebody.
      if (response.status === 401 && probeOf(given) !== null && options.realm.auth.services.panel === 'open') return response
      const headers = Object.fromEntries(response.headers)
      if (!isSaid(headers) && response.status !== 304) return response
      const sent = { method, url, form, status: response.status, headers }
      if (response.body && (isStreamed(url) || headers['content-disposition'] !== undefined))
        return whole(response, response.body, (text) => check({ ...sent, text }))
      await check({ ...sent, text: await response.clone().text() })
      return response
    },
    async answer(request, peer) {
      const reply = await app.answer(request, peer)
      const form = isForm(request.headers.get('content-type'))
      const { status, headers, body } = reply
      const sent = { method: request.method, url: request.url, form, status, headers: { ...headers } }
      if (typeof body === 'string' || body === null) await check({ ...sent, text: body ?? '' })
      else if (Symbol.asyncIterator in body && isSaid(headers)) return { ...reply, body: read(body, (text) => check({ ...sent, text })) }
      return reply
    },
  }
}

/** Whether the document says what such an answer holds: JSON, or a file. */
const isSaid = (headers: Readonly<Record<string, string>>) =>
  /json/.test(headers['content-type'] ?? '') || headers['content-disposition'] !== undefined

/** What is sent while it is read goes on as it comes, and is looked at when its end has come: a test may let go before. */
async function* read(body: AsyncIterable<string | Uint8Array>, done: (text: string) => Promise<void>): AsyncGenerator<string | Uint8Array> {
  let text = ''
  for await (const piece of body) {
    text += String(piece)
    yield piece
  }
  await done(text)
}

function whole(response: Response, body: ReadableStream, done: (text: string) => Promise<void>): Response {
  const decoder = new TextDecoder()
  let text = ''
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      text += decoder.decode(piece, { stream: true })
      controller.enqueue(piece)
    },
    flush: () => done(text),
  })
  return new Response(body.pipeThrough(watched), response)
}

afterEach(() => {
  const found = faults.splice(0)
  if (found.length > 0) throw new Error(`The document does not say this:\n${found.join('\n')}`)
})

afterAll(() => {
  const folder = process.env.DAYMARK_SEEN
  if (!folder || !all?.valid) return
  mkdirSync(folder, { recursive: true })
  const name = `${process.pid}-${Math.random().toString(36).slice(2)}.json`
  writeFileSync(join(folder, name), JSON.stringify({ declared: [...all.declared], answered: [...all.answered], valid: all.valid }))
})
