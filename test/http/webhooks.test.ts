import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import {
  DeclarationError,
  definePanel,
  defineResource,
  id,
  memoryStore,
  number,
  type Panel,
  refuse,
  text,
  trashResource,
  type Webhook,
  webhooksResource,
} from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { documentOf, type OperationObject } from '../../src/openapi/document.js'
import { type Inside, inside } from '../../src/panel.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  population: integer(),
  secret: varchar(),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})
const inPostgresql = pg.pgTable('cities', {
  id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
  name: pg.text().notNull(),
  population: pg.integer(),
  secret: pg.text(),
  deletedAt: pg.timestamp('deleted_at', { withTimezone: true, precision: 3 }),
}) as unknown as typeof cities

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const older = Buffer.alloc(24, 9).toString('base64')

interface Told {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
  readonly body: any
}

/** A service that takes messages. */
async function receiver() {
  const told: Told[] = []
  let answer: (response: ServerResponse, count: number) => void = (response) => response.writeHead(204).end()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    told.push({ headers: request.headers, text, body: JSON.parse(text) })
    answer(response, told.length)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return {
    url,
    told,
    types: () => told.map(({ body }) => body.type),
    answers: (next: typeof answer) => {
      answer = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Setup {
  readonly id?: string
  readonly database: string
  readonly model: typeof cities
  readonly url: string
  readonly more?: Partial<Webhook>
  /** Further ones. */
  readonly others?: readonly Partial<Webhook>[]
  readonly log?: (entry: object) => void
}

function panelOver({ id: panelId = 'hooked', database, model, url, more, others = [], log = () => {} }: Setup): Panel {
  const Cities = defineResource({
    model,
    fields: { id: id(), name: text('Name'), population: number('Population'), secret: text('Secret').visible(['keeper']) },
    computed: { upper: { label: 'Upper', needs: ['name'], value: ({ name }) => (name as string).toUpperCase() } },
    softDelete: 'deletedAt',
    hooks: {
      afterSave: async ({ after, create, before }) => {
        if (after.name === 'Refused') refuse('name', 'No')
        if (after.name === 'Twin' && !before) await create({ name: 'Twin 2' })
      },
    },
    handlers: {
      grow: {
        run: async ({ ids, update }) => {
          for (const one of ids) await update(one, { population: 5 })
        },
      },
    },
  })
  const Others = defineResource({
    model,
    uriKey: 'others',
    fields: { id: id(), name: text('Name') },
    hooks: {
      afterSave: async ({ after, of }) => {
        if (after.name !== 'Nest') return
        await of(Cities).create({ name: 'Nested' })
        // Until then nobody else sees it.
        await setTimeout(300)
      },
    },
  })
  return definePanel({
    id: panelId,
    database,
    resources: [Cities, trashResource(Cities), Others, webhooksResource({ panel: panelId })],
    webhooks: [{}, ...others].map((one) => ({ name: 'shop', url, secret, of: [Cities], retryAfter: [0.05, 0.05], ...more, ...one })),
    log,
  } as never)
}

const stores = {
  async SQLite() {
    const place = mkdtempSync(join(tmpdir(), 'daymark-webhooks-'))
    const database = `sqlite:${join(place, 'own.db')}`
    const client = new Sqlite(join(place, 'own.db'))
    client.exec('create table cities (id integer primary key, name text not null, population integer, secret text, deleted_at integer)')
    const end = async () => {
      client.close()
      rmSync(place, { recursive: true, force: true })
    }
    const query = async (sql: string) => client.prepare(sql.replace('daymark.', 'daymark_')).all() as Record<string, unknown>[]
    return { database, model: cities, end, query }
  },
  async PostgreSQL() {
    const database = await openDatabase()
    await database.query(
      'create table cities (id integer primary key generated by default as identity, name text not null, population integer, secret text, deleted_at timestamptz(3))',
    )
    const query = async (sql: string) => (await database.query(sql)).rows as Record<string, unknown>[]
    return { database: database.url, model: inPostgresql, end: () => database.drop(), query }
  },
}

describe.each(Object.entries(stores))('webhooks, over %s', (dialect, open) => {
  let opened: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  let service: Awaited<ReturnType<typeof receiver>>
  let panel: Panel
  const logged: object[] = []
  const start = (more: Partial<Webhook> = {}) => {
    panel = panelOver({ ...opened, url: service.url, more, log: (entry) => void logged.push(entry) })
    return panel
  }
  beforeEach(async () => {
    logged.length = 0
    ;[opened, service] = await Promise.all([open(), receiver()])
    start()
  })
  afterEach(async () => {
    await panel?.close()
    await service?.close()
    await opened?.end()
  })

  const app = (roles: readonly string[] = ['admin']) => testPanel(panel).as({ id: '7', name: 'Grace', roles })
  const crud = (more = '') => `/admin/resource/cities/crud${more}`
  const create = async (values: object) => {
    const answer = await app(['keeper']).post(crud(), values)
    expect(answer.status, answer.text).toBe(201)
    return (answer.json() as { data: { id: number } }).data.id
  }
  // Sooner than a process looks for what others have left.
  const came = (count: number) => expect.poll(() => service.told.length, { timeout: 6000 }).toBe(count)
  /** What the document of the panel says against the messages that came. */
  const faults = () => {
    const { house } = (panel as unknown as { readonly [inside]: Inside })[inside]
    const document = documentOf(house, { title: 'Hooked' })
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    ajv.addSchema(document, 'document')
    return service.told.flatMap(({ body, headers }) => {
      const pointer = `document#/webhooks/${body.type}/post/requestBody/content/application~1json/schema`
      const { parameters } = (document.webhooks as Record<string, { post: OperationObject }>)[body.type]?.post ?? { parameters: [] }
      const missing = (parameters as { name: string; schema: { pattern: string } }[]).filter(
        ({ name, schema }) => !new RegExp(schema.pattern).test(String(headers[name])),
      )
      return [...(ajv.validate({ $ref: pointer }, body) ? [] : [ajv.errorsText()]), ...missing.map(({ name }) => `${name} is wrong`)]
    })
  }
  const states = async () =>
    (await opened.query('select state, attempts, said from daymark.deliveries order by created_at, id')) as object[]

  test('each write of a record is told, signed, with what the roles of the webhook may see', async () => {
    const key = await create({ name: 'Bern', population: 134_000, secret: 'x' })
    await came(1)
    const [first] = service.told
    expect(first?.body).toEqual({
      type: 'cities.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { resource: 'cities', key, record: { id: key, name: 'Bern', population: 134_000 }, user: { id: '7', name: 'Grace' } },
    })
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': expect.stringMatching(/^msg_[\w-]{22}$/) })
    // As any service would, by a library.
    const verified = new Verifier(secret).verify(first?.text ?? '', first?.headers as Record<string, string>)
    expect(verified).toEqual(first?.body)
    expect(() => new Verifier(older).verify(first?.text ?? '', first?.headers as Record<string, string>)).toThrow()

    expect((await app().patch(crud(`/${key}`), { population: 140_000 })).status).toBe(200)
    await came(2)
    expect(service.told[1]?.body).toMatchObject({
      type: 'cities.updated',
      data: { key, record: { name: 'Bern', population: 140_000 }, previous: { population: 134_000 } },
    })
    // What it does not see does not change for it, nor does what stays as it is.
    expect((await app(['keeper']).patch(crud(`/${key}`), { secret: 'y' })).status).toBe(200)
    expect((await app().patch(crud(`/${key}`), { population: 140_000 })).status).toBe(200)
    expect((await app().delete(crud(`/${key}`))).status).toBe(200)
    await came(3)
    expect(service.told[2]?.body).toMatchObject({ type: 'cities.deleted', data: { key, record: { name: 'Bern' } } })
    expect((await app().post(`/admin/resource/cities-trash/handler/restore`, { ids: [key] })).status).toBe(200)
    await came(4)
    expect(service.told[3]?.body).toMatchObject({ type: 'cities.restored', data: { resource: 'cities', key, record: { name: 'Bern' } } })
    // For good: it has been told as deleted already.
    await app().delete(crud(`/${key}`))
    await came(5)
    expect((await app().delete(`/admin/resource/cities-trash/crud/${key}`)).status).toBe(200)
    await create({ name: 'Last' })
    await came(6)
    expect(service.types()).toEqual([
      'cities.created',
      'cities.updated',
      'cities.deleted',
      'cities.restored',
      'cities.deleted',
      'cities.created',
    ])
    expect(new Set(service.told.map(({ headers }) => headers['webhook-id'])).size).toBe(6)
    expect(faults()).toEqual([])
    await expect.poll(states).toEqual(Array(6).fill({ state: 'sent', attempts: expect.anything(), said: 'HTTP 204' }))
  })

  test('a write that is refused or rolled back tells nothing; one within another is told with it', async () => {
    expect((await app().post(crud(), { name: 'Refused' })).status).toBe(422)
    expect((await app().post(crud(), { name: null })).status).toBe(422)
    const keys = [await create({ name: 'A' }), await create({ name: 'B' })]
    await create({ name: 'Twin' })
    expect((await app().post('/admin/resource/cities/handler/grow', { ids: keys })).status).toBe(200)
    expect((await app().delete(crud(`?ids[]=${keys.join('&ids[]=')}`))).status).toBe(200)
    // All or none.
    expect((await app().delete(crud('?ids[]=3&ids[]=99999'))).status).toBe(404)
    // Of another resource over the same table.
    expect((await app().post('/admin/resource/others/crud', { name: 'Other' })).status).toBe(201)
    await came(8)
    expect(service.types().toSorted()).toEqual([
      ...Array(4).fill('cities.created'),
      ...Array(2).fill('cities.deleted'),
      ...Array(2).fill('cities.updated'),
    ])
    expect(
      service.told
        .filter(({ body }) => body.type === 'cities.created')
        .map(({ body }) => body.data.record.name)
        .toSorted(),
    ).toEqual(['A', 'B', 'Twin', 'Twin 2'])
  })

  test('a write by the hook of a resource that nobody is told of is told once all is committed', async () => {
    // So that what follows is no start.
    await create({ name: 'First' })
    await came(1)
    expect((await app().post('/admin/resource/others/crud', { name: 'Nest' })).status).toBe(201)
    await came(2)
    expect(service.told[1]?.body.data.record.name).toBe('Nested')
  })

  test('what is due already is sent while another transaction writes', async () => {
    await create({ name: 'First' })
    await came(1)
    // Until nothing looks for messages by itself.
    await setTimeout(2700)
    await opened.query(`update daymark.deliveries set state = 'waiting', due_at = created_at returning id`)
    expect((await app().post('/admin/resource/others/crud', { name: 'Nest' })).status).toBe(201)
    await came(3)
    expect(logged).toEqual([])
  })

  test('one that does not answer holds up no other', async () => {
    await panel.close()
    const slow = await receiver()
    slow.answers(() => {})
    try {
      panel = panelOver({ ...opened, url: service.url, others: [{ name: 'slow', url: slow.url }] })
      await create({ name: 'A' })
      await expect.poll(() => slow.told.length).toBe(1)
      await create({ name: 'B' })
      await came(2)
      expect(slow.told).toHaveLength(1)
    } finally {
      await slow.close()
    }
  })

  test('only what it asks for, as its roles see it, with a signature of each secret', async () => {
    await panel.close()
    start({ on: ['deleted'], roles: ['keeper'], secret: [secret, older] })
    const key = await create({ name: 'Bern', secret: 'x' })
    expect((await app().delete(crud(`/${key}`))).status).toBe(200)
    await came(1)
    const [told] = service.told
    expect(told?.body).toMatchObject({ type: 'cities.deleted', data: { record: { secret: 'x' } } })
    for (const one of [secret, older])
      expect(new Verifier(one).verify(told?.text ?? '', told?.headers as Record<string, string>)).toBeTruthy()
  })

  test('only what its condition wants, which sees what it would be told', async () => {
    await panel.close()
    const asked: unknown[] = []
    start({
      when: (message) => {
        asked.push(structuredClone(message))
        const { record, previous } = message
        if (record.name === 'Broken') throw new Error('No such thing')
        if (record.name === 'Odd') throw Object.create(null)
        if (record.name === 'Later') return Promise.reject(new Error('Too late')) as never
        return previous !== null && 'population' in previous && Number(record.population) > 100
      },
    })
    const key = await create({ name: 'Bern', population: 50, secret: 'x' })
    for (const change of [{ name: 'Berne' }, { population: 90 }, { population: 200 }])
      expect((await app().patch(crud(`/${key}`), change)).status).toBe(200)
    await came(1)
    expect(service.told[0]?.body.data).toMatchObject({ key, record: { name: 'Berne', population: 200 }, previous: { population: 90 } })
    const user = { id: '7', name: 'Grace' }
    expect(asked).toEqual([
      { event: 'created', resource: 'cities', key, record: { id: key, name: 'Bern', population: 50 }, previous: null, user },
      ...[
        [{ name: 'Berne', population: 50 }, { name: 'Bern' }],
        [{ name: 'Berne', population: 90 }, { population: 50 }],
        [{ name: 'Berne', population: 200 }, { population: 90 }],
      ].map(([record, previous]) => ({ event: 'updated', resource: 'cities', key, record: { id: key, ...record }, previous, user })),
    ])
    // One that fails, or answers later, says no, and refuses no write: a service may have to know of some records only.
    expect(logged).toEqual([])
    const [broken, later, odd] = [await create({ name: 'Broken' }), await create({ name: 'Later' }), await create({ name: 'Odd' })]
    const entry = { method: 'WEBHOOK', path: 'shop', stack: expect.stringContaining('webhooks.') }
    expect(logged).toMatchObject([
      { ...entry, message: `cities.created ${broken} is not told, since \`when\` failed: No such thing` },
      { ...entry, message: `cities.created ${later} is not told, since \`when\` failed: it must return true or false` },
      { method: 'WEBHOOK', message: `cities.created ${odd} is not told, since \`when\` failed: [Object: null prototype] {}` },
    ])
    await expect.poll(states).toEqual([{ state: 'sent', attempts: expect.anything(), said: 'HTTP 204' }])
  })

  test('a service that refuses is asked again, with the same id and body, until it takes the message', async () => {
    service.answers((response, count) => void (count < 3 ? response.writeHead(500).end('no') : response.end('ok')))
    await create({ name: 'Bern' })
    await came(3)
    expect(new Set(service.told.map(({ headers, text }) => `${headers['webhook-id']} ${text}`)).size).toBe(1)
    for (const { text, headers } of service.told) new Verifier(secret).verify(text, headers as Record<string, string>)
    await expect.poll(states).toEqual([{ state: 'sent', attempts: expect.anything(), said: 'HTTP 200' }])
    expect(Number((await opened.query('select attempts from daymark.deliveries'))[0]?.attempts)).toBe(3)
    expect(logged).toEqual([])
  })

  test('after the last attempt the message has failed, which is logged, and it can be sent again', async () => {
    service.answers((response) => void response.writeHead(302, { location: service.url }).end())
    const key = await create({ name: 'Bern' })
    await came(3)
    await expect.poll(states).toEqual([{ state: 'failed', attempts: expect.anything(), said: 'HTTP 302' }])
    await expect
      .poll(() => logged)
      .toEqual([
        expect.objectContaining({
          method: 'WEBHOOK',
          path: 'shop',
          message: expect.stringMatching(new RegExp(`^cities\\.created ${key} could not be delivered`)),
        }),
      ])
    service.answers((response) => void response.end())
    const list = (await app().get('/admin/resource/webhooks/crud')).json() as { data: { id: string; state: string }[] }
    expect(list.data).toMatchObject([{ state: 'failed', type: 'cities.created', record: String(key), webhook: 'shop' }])
    const shown = (await app().get(`/admin/resource/webhooks/crud/${list.data[0]?.id}`)).json() as { data: { body: object } }
    expect(shown.data.body).toEqual(service.told[0]?.body)
    const again = () => app().post('/admin/resource/webhooks/handler/again', { ids: [list.data[0]?.id] })
    const answer = await again()
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('To be sent again: 1')])
    await create({ name: 'Basel' })
    await came(5)
    await expect.poll(states).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
    // Only who may, and nobody by hand.
    expect((await app(['editor']).get('/admin/resource/webhooks/crud')).status).toBe(403)
    expect((await app(['editor']).post('/admin/resource/webhooks/handler/again', { ids: [list.data[0]?.id] })).status).toBe(403)
    expect((await app().patch(`/admin/resource/webhooks/crud/${list.data[0]?.id}`, { body: '{}' })).status).toBe(403)
    expect((await app().delete(`/admin/resource/webhooks/crud/${list.data[0]?.id}`)).status).toBe(403)
    expect((await app().html.get('/admin/resource/webhooks/crud')).text).toContain('Send again')
    expect((await app().html.get(`/admin/resource/webhooks/crud/${list.data[0]?.id}`)).text).toContain('cities.created')
  })

  test('a service that is gone is not asked again; one that asks to wait is waited for', async () => {
    service.answers((response) => void response.writeHead(410).end())
    await create({ name: 'Bern' })
    await expect.poll(states).toEqual([{ state: 'failed', attempts: expect.anything(), said: 'HTTP 410' }])
    expect(service.told).toHaveLength(1)
    service.answers((response) => void response.writeHead(503, { 'retry-after': '3600' }).end())
    await create({ name: 'Basel' })
    await came(2)
    const due = async () => (await opened.query("select due_at from daymark.deliveries where state = 'waiting'"))[0]?.due_at
    await expect.poll(async () => new Date((await due()) as number).getTime() - Date.now()).toBeGreaterThan(3_500_000)
  })

  test('a service that does not answer, or is not there, loses nothing, and holds up nobody', async () => {
    await panel.close()
    start({ timeout: 0.1, retryAfter: [0.05] })
    service.answers(() => {})
    await create({ name: 'Bern' })
    await expect.poll(states).toMatchObject([{ state: 'failed', said: 'timeout' }])
    await panel.close()
    start({ url: 'http://127.0.0.1:1/', retryAfter: [] })
    await create({ name: 'Basel' })
    await expect
      .poll(states)
      .toMatchObject([{ said: 'timeout' }, { state: 'failed', said: expect.stringMatching(/ECONNREFUSED|bad port/) }])
  })

  test('the time that a service has is over even if garbage was collected meanwhile', async () => {
    await panel.close()
    start({ timeout: 1, retryAfter: [] })
    service.answers(() => {})
    await create({ name: 'Bern' })
    await came(1)
    // `--expose-gc` for this process alone.
    setFlagsFromString('--expose_gc')
    const collect = runInNewContext('gc') as () => void
    const timer = setInterval(collect, 50)
    try {
      await expect.poll(states, { timeout: 6000 }).toMatchObject([{ state: 'failed', said: 'timeout' }])
    } finally {
      clearInterval(timer)
    }
  })

  test('what was sent is forgotten after a week, and what has failed after a month', async () => {
    await create({ name: 'Bern' })
    await came(1)
    await panel.close()
    await opened.query('delete from daymark.deliveries')
    const day = 86_400_000
    const at = (days: number) => (dialect === 'SQLite' ? String(Date.now() - days * day) : `now() - interval '${days} days'`)
    const insert = (name: string, state: string, days: number) =>
      opened.query(
        `insert into daymark.deliveries (id, panel, webhook, type, record, body, state, attempts, created_at, ended_at) values ('${name}', 'hooked', 'shop', 't', '1', '{}', '${state}', 1, ${at(days)}, ${at(days)})`,
      )
    for (const [name, state, days] of [
      ['sent-new', 'sent', 6],
      ['sent-old', 'sent', 8],
      ['failed-new', 'failed', 29],
      ['failed-old', 'failed', 31],
    ] as const)
      await insert(name, state, days)
    start()
    await app().get(crud())
    await expect
      .poll(async () => (await opened.query('select id from daymark.deliveries order by id')).map(({ id }) => id))
      .toEqual(['failed-new', 'sent-new'])
  })

  test('what a process has left is sent by the next, without a write', async () => {
    await panel.close()
    const held: ServerResponse[] = []
    service.answers((response) => void held.push(response))
    start()
    await create({ name: 'Bern' })
    await came(1)
    const closing = panel.close()
    // It waits some seconds for the answer, and then gives the message back.
    await closing
    expect(await states()).toMatchObject([{ state: 'waiting', said: null }])
    service.answers((response) => void response.end())
    start()
    const listening = await panel.listen({ port: 0 })
    await came(2)
    await expect.poll(states).toMatchObject([{ state: 'sent' }])
    await listening.close()
    expect(service.told[1]?.text).toBe(service.told[0]?.text)
  })

  test('of two processes one sends a message, and another panel in the same database none', async () => {
    service.answers((response) => void setTimeout(20).then(() => response.end()))
    const other = panelOver({ ...opened, url: service.url })
    const stranger = await receiver()
    const another = panelOver({ ...opened, id: 'another', url: stranger.url })
    try {
      await testPanel(another)
        .as({ id: '7', name: 'G', roles: ['admin'] })
        .get(crud())
      const both = [testPanel(panel), testPanel(other)]
      await Promise.all(
        Array.from({ length: 40 }, (_, i) => both[i % 2]?.as({ id: '7', name: 'G', roles: ['admin'] }).post(crud(), { name: `City ${i}` })),
      )
      await expect.poll(async () => (await states()).filter((one) => (one as { state: string }).state === 'sent').length).toBe(40)
      expect(service.told).toHaveLength(40)
      expect(new Set(service.told.map(({ headers }) => headers['webhook-id'])).size).toBe(40)
      // Its own it takes, and those alone.
      await testPanel(another)
        .as({ id: '7', name: 'G', roles: ['admin'] })
        .post(crud(), { name: 'Its own' })
      await expect.poll(() => stranger.told.map(({ body }) => body.data.record.name)).toEqual(['Its own'])
      // Nor do its users see what is another's.
      const list = await testPanel(another)
        .as({ id: '7', name: 'G', roles: ['admin'] })
        .get('/admin/resource/webhooks/crud')
      expect((list.json() as { data: object[] }).data).toHaveLength(1)
    } finally {
      await Promise.all([other.close(), another.close(), stranger.close()])
    }
  })
})

test('the list of messages is there before there is one, and where nobody is told', async () => {
  const panel = definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [webhooksResource()] })
  const get = (path: string) => panel.fetch(new Request(`http://127.0.0.1/admin/${path}`, { headers: { accept: 'application/json' } }))
  const answer = await get('resource/webhooks/crud')
  expect([answer.status, ((await answer.json()) as { data: object[] }).data]).toEqual([200, []])
  expect(await panel.examine()).toEqual([])
  expect((await get('health')).status).toBe(200)
  await panel.close()
})

test('a move tells of the record that is moved, and of those that are numbered anew to make room', async () => {
  const place = mkdtempSync(join(tmpdir(), 'daymark-webhooks-'))
  const client = new Sqlite(join(place, 'own.db'))
  client.exec('create table steps (id integer primary key, place integer not null)')
  client.exec('insert into steps values (1, 5), (2, 5), (3, 5)')
  const steps = sqliteTable('steps', { id: integer().primaryKey(), place: integer().notNull() })
  const Steps = defineResource({ model: steps, fields: { id: id(), place: number('Place') }, reorderable: 'place' })
  const service = await receiver()
  const panel = definePanel({
    database: `sqlite:${join(place, 'own.db')}`,
    resources: [Steps],
    webhooks: [{ name: 'shop', url: service.url, secret, of: [Steps] }],
    log: () => {},
  })
  try {
    const app = testPanel(panel).as({ id: '7', name: 'Grace', roles: ['admin'] })
    expect((await app.put('/admin/resource/steps/crud/1/place', { after: 2 })).status).toBe(200)
    const changed = client.prepare('select id from steps where place <> 5 order by id').all() as { id: number }[]
    expect(changed.length).toBeGreaterThan(1)
    await expect.poll(() => service.told.map(({ body }) => body.data.key).toSorted()).toEqual(changed.map(({ id }) => id))
    expect(new Set(service.types())).toEqual(new Set(['steps.updated']))
  } finally {
    await panel.close()
    await service.close()
    client.close()
    rmSync(place, { recursive: true, force: true })
  }
})

test('their resource is that of one panel', () => {
  const of = (id: string, panel?: string) => () =>
    definePanel({ id, auth: 'open', database: 'sqlite::memory:', resources: [webhooksResource(panel === undefined ? {} : { panel })] })
  expect(of('shop')).toThrow("webhook  webhooks: shows the messages of another panel: webhooksResource({ panel: 'shop' })")
  expect(of('shop', 'shop')).not.toThrow()
  expect(of('admin')).not.toThrow()
})

describe('what is declared wrong is said at start-up', () => {
  const Cities = defineResource({ model: cities, softDelete: 'deletedAt' })
  const Trash = trashResource(Cities)
  const Elsewhere = defineResource({ model: cities, uriKey: 'elsewhere', database: 'sqlite:other.db' })
  const Own = defineResource({ model: memoryStore(cities), uriKey: 'own' })
  const right: Webhook = { name: 'shop', url: 'https://shop.example/hook', secret, of: [Cities] }
  const problems = (...webhooks: unknown[]) => {
    try {
      definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [Cities, Trash, Elsewhere, Own], webhooks } as never)
      return []
    } catch (thrown) {
      if (!(thrown instanceof DeclarationError)) throw thrown
      return thrown.problems.map(({ id, where, text }) => `${id} ${where}: ${text}`)
    }
  }

  test.each<[string, unknown]>([
    ['webhook webhooks[0].name: "My Shop" must be lower-case letters', { ...right, name: 'My Shop' }],
    ['webhook webhooks[0].url: "undefined" is not an absolute URL', { ...right, url: undefined }],
    ['webhook webhooks[0].url: "ftp://shop.example" is not an absolute URL', { ...right, url: 'ftp://shop.example' }],
    ['webhook webhooks[0].url: may not hold a username', { ...right, url: 'https://a:b@shop.example' }],
    ['webhook webhooks[0].secret: must be base64 of 24 to 64 bytes', { ...right, secret: 'short' }],
    ['webhook webhooks[0].secret: must be base64', { ...right, secret: undefined }],
    ['webhook webhooks[0].secret: must be base64', { ...right, secret: [] }],
    ['webhook webhooks[0].of: name the resources', { ...right, of: [] }],
    ['webhook webhooks[0].of: "cities-trash" is a trash', { ...right, of: [Trash] }],
    [
      'webhook webhooks[0].of: "absent" is no resource of the panel',
      { ...right, of: [defineResource({ model: cities, uriKey: 'absent' })] },
    ],
    ['webhook-database webhooks[0].of: what it is told of "elsewhere"', { ...right, of: [Elsewhere] }],
    ['webhook-database webhooks[0].of: what it is told of "own"', { ...right, of: [Own] }],
    ['webhook webhooks[0].on[0]: "saved" is none of created, updated, deleted, restored', { ...right, on: ['saved'] }],
    ['webhook webhooks[0].on: names what it tells of', { ...right, on: [] }],
    ['webhook webhooks[0].when: an object is not a function', { ...right, when: { population: 5 } }],
    ['webhook webhooks[0].when: must return true or false at once', { ...right, when: async () => true }],
    ['webhook webhooks[0].roles: "admin" is not a list of roles', { ...right, roles: 'admin' }],
    ['webhook webhooks[0].retryAfter: must be a list of seconds', { ...right, retryAfter: [-1] }],
    ['webhook webhooks[0].timeout: 0 is not a number of seconds', { ...right, timeout: 0 }],
    ['webhook webhooks[0].events: unknown setting "events"', { ...right, events: [] }],
    ['webhook webhooks[0]: must be an object', 'shop'],
    ['listed webhooks[0]: is undefined', undefined],
  ])('%s', (text, webhook) => {
    expect(problems(webhook)).toEqual([expect.stringContaining(text)])
  })

  test('a name that another one has, and what is declared right', () => {
    expect(problems(right, right)).toEqual(['webhook webhooks[1].name: "shop" is the name of another one'])
    expect(
      problems(right, {
        ...right,
        name: 'other',
        secret: [older, secret],
        on: ['created'],
        when: () => true,
        roles: ['a'],
        retryAfter: [],
        timeout: 1,
      }),
    ).toEqual([])
  })
})
