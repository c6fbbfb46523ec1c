import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type DeclarationError,
  definePanel,
  defineResource,
  id,
  memoryStore,
  type Panel,
  type PanelSpec,
  text,
  trashResource,
  usersResource,
} from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { own as twinned } from '../../src/store/sql/twin.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

// Declared as the panel's own are, so that the same resources serve over either database.
const issues = twinned(
  sqliteTable('issues', { id: integer().primaryKey(), title: varchar().notNull(), team: varchar().notNull(), sealed: varchar() }),
)
const deals = twinned(
  sqliteTable('deals', {
    id: integer().primaryKey(),
    name: varchar().notNull(),
    deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
  }),
)
const schema = (of: (name: string) => string, time: string) => [
  `create table ${of('issues')} (id integer primary key, title text not null, team text not null, sealed text)`,
  `create table ${of('deals')} (id integer primary key, name text not null, deleted_at ${time})`,
  `insert into ${of('issues')} values (1, 'One', 'a', null), (2, 'Two', 'a', null), (3, 'Three', 'b', null), (4, 'Four', 'a', 'yes'), (5, 'Five', 'a', 'shut')`,
  `insert into ${of('deals')} values (1, 'Deal', null)`,
]

const Issues = defineResource({
  model: issues,
  comments: true,
  can: { view: ['staff', 'guest', 'lead'], update: ['lead'], comment: ['staff', 'lead'], delete: ['lead'] },
  canRecord: {
    view: ({ record }) => record.sealed !== 'shut',
    comment: ({ record }) => (record.sealed === 'yes' ? 'It is sealed' : true),
  },
  scope: ({ user }) => (user.roles.includes('lead') ? {} : { team: 'a' }),
  hooks: { beforeDelete: ({ record }) => void (record.title === 'Two' && raise()) },
})
const raise = () => {
  throw new TypeError('refused by the hook')
}
/** The same table, as somebody else declares it. */
const Plain = defineResource({ model: issues, uriKey: 'plain' })
const Deals = defineResource({ model: deals, softDelete: 'deletedAt', comments: true })
/** And as one whose names are not for everybody. */
const Named = defineResource({
  model: issues,
  uriKey: 'named',
  column: 'title',
  comments: true,
  fields: { id: id(), title: text().visible(['lead']), team: text() },
})
/** Deletes deals for good, and an issue with each. */
const Closers = defineResource({
  model: deals,
  uriKey: 'closers',
  hooks: { afterDelete: ({ record, of }) => of(Plain).delete(record.id) },
})
/** A scope that fails, but for Ada. */
const Failing = defineResource({
  model: issues,
  uriKey: 'failing',
  comments: true,
  scope: ({ user }) => (user.username === 'ada' ? {} : raise()),
})
const resources = [
  Failing,
  Issues,
  Plain,
  Named,
  Deals,
  trashResource(Deals),
  Closers,
  usersResource({ roles: ['staff', 'guest', 'lead'] }),
]

async function opened(over: 'sqlite' | 'postgresql', more: Partial<PanelSpec>) {
  if (over === 'postgresql') {
    const { url, query, drop } = await openDatabase()
    await query(['create schema daymark', ...schema((name) => `daymark.${name}`, 'timestamptz(3)')].join(';'))
    const panel = definePanel({ database: url, resources, ...more })
    const kept = async () => Number((await query('select count(*) as n from daymark.comments')).rows[0]?.n)
    return { panel, kept, run: query, end: () => panel.close().then(drop) }
  }
  const folder = mkdtempSync(join(tmpdir(), 'daymark-comments-'))
  const client = new Sqlite(join(folder, 'panel.db'))
  for (const statement of schema((name) => name, 'integer')) client.exec(statement)
  const panel = definePanel({ database: `sqlite:${join(folder, 'panel.db')}`, resources, ...more })
  const kept = async () => Number((client.prepare('select count(*) as n from daymark_comments').get() as { n: number }).n)
  const end = async () => {
    await panel.close()
    client.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { panel, kept, run: async (sql: string) => client.exec(sql), end }
}

const people = {
  ada: { id: '1', username: 'ada', name: 'Ada', roles: ['staff'] },
  bob: { id: '2', username: 'bob', name: '<b>Bob</b>', roles: ['staff'] },
  gil: { id: '3', username: 'gil', name: 'Gil', roles: ['guest'] },
  lea: { id: '4', username: 'lea', name: 'Lea', roles: ['lead'] },
  nil: { id: '5', username: 'nil', name: 'Nil', roles: [] },
}
type Who = keyof typeof people
interface One {
  readonly id: number
  readonly text: string
  readonly at: string
  readonly editedAt: string | null
  readonly user: { readonly id: string | null; readonly name: string }
}

describe.each(['sqlite', 'postgresql'] as const)('comments over %s', (over) => {
  const statements: string[] = []
  let world: { readonly panel: Panel; kept(): Promise<number>; end(): Promise<void> }
  beforeEach(async () => {
    world = await opened(over, { observe: (sql) => statements.push(sql), log: () => {} })
  })
  afterEach(() => world?.end())

  const as = (who: Who) => testPanel(world.panel).as(people[who])
  const at = (key: number | string, more = '', resource = 'issues') => `/admin/resource/${resource}/crud/${key}/comments${more}`
  const list = async (who: Who, key: number | string, query = '', resource = 'issues') => {
    const answer = await as(who).get(at(key, query, resource))
    expect(answer.status, answer.text).toBe(200)
    return answer.json<{ data: One[]; meta: { total: number; perPage: number; nextCursor: string | null } }>()
  }
  const texts = async (who: Who, key: number, resource?: string) => (await list(who, key, '', resource)).data.map(({ text }) => text)
  const write = async (who: Who, key: number, text: string, resource?: string) => {
    const answer = await as(who).post(at(key, '', resource), { text })
    expect(answer.status, answer.text).toBe(201)
    return answer.json<{ data: One }>().data
  }
  const ofComments = async (work: () => Promise<unknown>) => {
    statements.length = 0
    await work()
    return statements.filter((one) => /comments/.test(one))
  }

  test('are written, read, changed and deleted', async () => {
    expect(await list('ada', 1)).toEqual({ data: [], meta: { total: 0, perPage: 25, nextCursor: null } })
    const made = await as('ada').post(at(1), { text: '  First\r\nline 😀 ' })
    const { data, message } = made.json<{ data: One; message: string }>()
    expect(message).toBe('Comment added')
    expect(data).toEqual({ id: data.id, text: 'First\nline 😀', at: expect.any(String), editedAt: null, user: { id: '1', name: 'Ada' } })
    const own = at(1, `/${data.id}`)
    expect(made.headers.get('location')).toBe(own)
    expect((await as('gil').get(own)).json()).toEqual({ data })
    await write('bob', 1, 'Second')
    expect(await texts('gil', 1)).toEqual(['Second', 'First\nline 😀'])
    const edited = (await as('ada').patch(own, { text: 'Better' })).json<{ data: One }>().data
    expect(edited).toEqual({ ...data, text: 'Better', editedAt: expect.any(String) })
    expect((await as('ada').delete(own)).json()).toEqual({ message: 'Comment deleted' })
    expect(await texts('ada', 1)).toEqual(['Second'])
    expect(await texts('ada', 2)).toEqual([])
    for (const method of ['get', 'delete'] as const) expect((await as('ada')[method](own)).status).toBe(404)
  })

  test('what is no comment is a 422 that names the text, and keeps what was typed', async () => {
    const { id } = await write('ada', 1, `${'x'.repeat(4999)}😀`)
    for (const [body, text] of [
      [{ text: ' \n ' }, 'Write something first'],
      [{}, 'Write something first'],
      [{ text: 'x'.repeat(5001) }, 'A comment has at most 5000 characters'],
      [{ text: 7 }, /text/],
      [{ text: true }, /text/],
    ] as const)
      for (const answer of [await as('ada').post(at(1), body), await as('ada').patch(at(1, `/${id}`), body)]) {
        expect(answer.status).toBe(422)
        expect(answer.json<{ errors: Record<string, string[]> }>().errors.text).toEqual([expect.stringMatching(text)])
      }
    expect((await as('ada').post(at(1), { text: 'x', other: 1 })).json()).toMatchObject({ errors: { other: [expect.any(String)] } })
    const page = await as('ada').html.post(at(1), new URLSearchParams({ text: `<i>${'y'.repeat(5001)}` }))
    expect(page.status).toBe(422)
    expect(page.text).toContain(`&lt;i&gt;${'y'.repeat(5001)}</textarea>`)
    expect(page.text).toContain('A comment has at most 5000 characters')
    const form = await as('ada').html.post(at(1, `/${id}`), new URLSearchParams({ _method: 'PATCH', text: ' ' }))
    expect([form.status, form.text.includes('Write something first')]).toEqual([422, true])
  })

  test('a text with NUL is refused over either database', async () => {
    for (const app of [as('ada'), as('ada').html]) expect((await app.post(at(1), { text: 'a\0b' })).status).toBe(422)
    expect((await as('ada').html.post(at(1), new URLSearchParams({ text: 'a\0b' }))).status).toBe(422)
    expect(await texts('ada', 1)).toEqual([])
  })

  test('whoever may not see the record has no comments on it', async () => {
    const { id } = await write('lea', 3, 'Of team b')
    const tries = (who: Who, key: number, id: number) => [
      as(who).get(at(key)),
      as(who).post(at(key), { text: 'x' }),
      as(who).get(at(key, `/${id}`)),
      as(who).patch(at(key, `/${id}`), { text: 'x' }),
      as(who).delete(at(key, `/${id}`)),
    ]
    const statuses = async (who: Who, key: number) => (await Promise.all(tries(who, key, id))).map(({ status }) => status)
    expect(await statuses('ada', 3)).toEqual([404, 404, 404, 404, 404])
    expect(await statuses('ada', 99)).toEqual([404, 404, 404, 404, 404])
    expect(await statuses('ada', 5)).toEqual([403, 403, 403, 403, 403])
    expect(await statuses('nil', 1)).toEqual([403, 403, 403, 403, 403])
    // A comment on another record.
    for (const method of ['get', 'delete'] as const) expect((await as('lea')[method](at(1, `/${id}`))).status).toBe(404)
    for (const wrong of ['0', 'x', '1e3', '99999999999999999999']) expect((await as('lea').get(at(3, `/${wrong}`))).status).toBe(404)
    expect(await texts('lea', 3)).toEqual(['Of team b'])
  })

  test('who may comment, who may change, and who may delete', async () => {
    const { id } = await write('ada', 1, 'By Ada')
    expect((await as('gil').post(at(1), { text: 'x' })).status).toBe(403)
    expect((await as('gil').delete(at(1, `/${id}`))).status).toBe(403)
    const sealed = await as('ada').post(at(4), { text: 'x' })
    expect([sealed.status, sealed.json<{ detail: string }>().detail]).toEqual([403, 'It is sealed'])
    for (const who of ['bob', 'lea'] as const) expect((await as(who).patch(at(1, `/${id}`), { text: 'x' })).status).toBe(403)
    expect((await as('bob').delete(at(1, `/${id}`))).status).toBe(403)
    expect((await as('lea').delete(at(1, `/${id}`))).status).toBe(200)
    expect(await world.kept()).toBe(0)
  })

  test('a page of one comment offers what may be done with it', async () => {
    const own = at(1, `/${(await write('ada', 1, 'By Ada')).id}`)
    const offered = async (who: Who) => {
      const { text } = await as(who).html.get(own)
      expect(text).toContain('By Ada')
      return [text.includes('id="comment-text"'), text.includes('value="DELETE"')]
    }
    expect(await Promise.all((['ada', 'gil', 'lea'] as const).map(offered))).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ])
  })

  test('names and texts are escaped, and a resource without comments has none', async () => {
    await write('bob', 1, '<script>')
    const page = (await as('ada').html.get('/admin/resource/issues/crud/1')).text
    expect(page).toContain('&lt;b&gt;Bob&lt;/b&gt;')
    expect(page).toContain('&lt;script&gt;')
    expect((await as('ada').get(at(1, '', 'plain'))).status).toBe(404)
    expect((await as('ada').post(at(1, '', 'plain'), { text: 'x' })).status).toBe(404)
    expect((await as('ada').html.get('/admin/resource/plain/crud/1')).text).not.toContain('comments')
  })

  test('long threads come in pages', async () => {
    for (let n = 1; n <= 27; n++) await write('ada', 1, `No ${n}`)
    const first = await list('ada', 1)
    expect([first.data.length, first.data[0]?.text, first.meta.total]).toEqual([25, 'No 27', 27])
    const rest = await list('ada', 1, `?cursor=${first.meta.nextCursor}`)
    expect([rest.data.map(({ text }) => text), rest.meta]).toEqual([['No 2', 'No 1'], { total: 27, perPage: 25, nextCursor: null }])
    expect((await as('ada').get(at(1, '?cursor=x'))).status).toBe(422)
    const { text } = await as('ada').html.get('/admin/resource/issues/crud/1')
    expect(text.match(/No \d+/g)).toEqual(Array.from({ length: 10 }, (_, i) => `No ${i + 18}`))
    expect(text).toContain(`comments?cursor=${first.data[9]?.id}"`)
    const earlier = (await as('ada').html.get(at(1, `?cursor=${first.data[9]?.id}`))).text
    expect(earlier.match(/No \d+/g)).toEqual(Array.from({ length: 17 }, (_, i) => `No ${i + 1}`))
  })

  test('each has a link that stays, and a change leads to where it is shown', async () => {
    const ids: number[] = []
    for (let n = 1; n <= 12; n++) ids.push((await write('ada', 1, `No ${n}`)).id)
    const page = (await as('ada').html.get('/admin/resource/issues/crud/1')).text
    const [second = 0, third = 0, last = 0] = [ids[1], ids[2], ids[11]]
    for (const id of [third, last]) expect(page).toContain(`<a href="${at(1, `?cursor=${id + 1}#comment-${id}`)}"><time`)
    const shown = (await as('gil').html.get(at(1, `?cursor=${third + 1}`))).text
    expect(shown.match(/No \d+/g)).toEqual(['No 1', 'No 2', 'No 3'])
    expect(shown).toContain(`<li id="comment-${third}"`)
    const change = (id: number) => as('ada').html.post(at(1, `/${id}`), new URLSearchParams({ _method: 'PATCH', text: 'Changed' }))
    // The page of the record shows the last ten.
    const to = await Promise.all([second, third, last].map(async (id) => (await change(id)).headers.get('location')))
    const record = '/admin/resource/issues/crud/1'
    expect(to).toEqual([at(1, `?cursor=${second + 1}#comment-${second}`), `${record}#comment-${third}`, `${record}#comment-${last}`])
  })

  test('a page has one statement more, by the index, and only if its resource has comments', async () => {
    await write('ada', 1, 'One')
    const read = await ofComments(() => as('ada').html.get('/admin/resource/issues/crud/1'))
    expect(read).toHaveLength(1)
    for (const path of ['/admin/resource/plain/crud/1', '/admin/resource/issues/crud'])
      expect(await ofComments(() => as('ada').html.get(path))).toEqual([])
    expect(await ofComments(() => as('ada').get('/admin/resource/issues/crud/1'))).toEqual([])
  })

  test('an unchanged list is a 304, and a new comment is on the page at once', async () => {
    await write('ada', 1, 'One')
    const etag = (await as('ada').get(at(1))).headers.get('etag') as string
    const again = () => as('ada').get(at(1), { headers: { 'if-none-match': etag } } as never)
    const page = () => as('bob').html.get('/admin/resource/issues/crud/1')
    for (let i = 0; i < 3; i++) await page()
    expect((await again()).status).toBeLessThan(400)
    await write('ada', 1, 'Quite new')
    expect((await page()).text).toContain('Quite new')
  })

  test('go with their record, whichever resource deletes it, and stay if that is refused', async () => {
    for (const key of [1, 2, 3]) await write('lea', key, `On ${key}`)
    expect((await as('lea').delete('/admin/resource/issues/crud/2')).status).toBe(500)
    expect((await as('lea').delete('/admin/resource/issues/crud', { ids: ['1', '2'] } as never)).status).toBe(500)
    expect(await world.kept()).toBe(3)
    const deleted = async (path: string) => expect((await as('lea').delete(`/admin/resource/plain/crud${path}`)).status).toBe(200)
    // By one statement, however many there are.
    expect(await ofComments(() => deleted('/1'))).toHaveLength(1)
    expect(await world.kept()).toBe(2)
    expect(await ofComments(() => deleted('?ids[]=2&ids[]=3'))).toHaveLength(1)
    expect(await world.kept()).toBe(0)
  })

  test('go with what a hook deletes, too, and with what another resource does not put into the trash', async () => {
    await write('ada', 1, 'On an issue')
    await write('ada', 1, 'On a deal', 'deals')
    expect((await as('ada').delete('/admin/resource/closers/crud/1')).status).toBe(200)
    expect(await world.kept()).toBe(0)
  })

  test('a trash keeps them to be read, and they go for good with the record', async () => {
    const { id } = await write('ada', 1, 'On a deal', 'deals')
    expect((await as('ada').delete('/admin/resource/deals/crud/1')).status).toBe(200)
    expect((await as('ada').get(at(1, '', 'deals'))).status).toBe(404)
    expect(await texts('ada', 1, 'deals-trash')).toEqual(['On a deal'])
    expect((await as('ada').html.get('/admin/resource/deals-trash/crud/1')).text).toContain('On a deal')
    expect((await as('ada').post(at(1, '', 'deals-trash'), { text: 'x' })).status).toBe(403)
    expect((await as('ada').patch(at(1, `/${id}`, 'deals-trash'), { text: 'x' })).status).toBe(403)
    expect((await as('ada').delete(at(1, `/${id}`, 'deals-trash'))).status).toBe(403)
    expect((await as('ada').delete('/admin/resource/deals-trash/crud/1')).status).toBe(200)
    expect(await world.kept()).toBe(0)
  })

  test('a form that is sent again writes nothing again, but what else is written in it', async () => {
    const page = async (who: Who) => (await as(who).html.get('/admin/resource/issues/crud/1')).text
    const [, once = ''] = /name="_once" value="([^"]+)"/.exec(await page('ada')) ?? []
    expect(once).not.toBe('')
    const send = async (text: string, who: Who = 'ada', key = 1) =>
      (await as(who).html.post(at(key), new URLSearchParams({ _once: once, text }))).headers.get('location')
    const [first, second] = await Promise.all([send('First'), send('First')])
    expect([second, await send('First')]).toEqual([first, first])
    await send('Second')
    await send('First', 'bob')
    await send('First', 'ada', 2)
    expect([await texts('ada', 1), await texts('ada', 2)]).toEqual([['First', 'Second', 'First'], ['First']])
    const { id } = (await list('ada', 1)).data.at(-1) as One
    await as('ada').delete(at(1, `/${id}`))
    expect((await as('ada').html.post(at(1), new URLSearchParams({ _once: once, text: 'First' }))).status).toBe(404)
  })

  test('forms do the same, and ask before a delete', async () => {
    const { html } = as('ada')
    const sent = await html.post(at(1), new URLSearchParams({ text: 'See https://example.com/a?b=(c). javascript:alert(1)' }))
    const [{ id }] = (await list('ada', 1)).data as [One]
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/admin/resource/issues/crud/1#comment-${id}`])
    const own = at(1, `/${id}`)
    const page = (await html.get('/admin/resource/issues/crud/1')).text
    expect(page).toContain('<a href="https://example.com/a?b=(c)" rel="noopener noreferrer nofollow" target="_blank">')
    expect(page).not.toContain('href="javascript:')
    // Where a link to one leads, all are: another can be written.
    expect((await html.get(at(1, `?cursor=${id + 1}`))).text).toContain('<textarea')
    const others = (await as('bob').html.get('/admin/resource/issues/crud/1')).text
    expect([page.includes(`href="${own}"`), others.includes(own)]).toEqual([true, false])
    expect((await as('gil').html.get('/admin/resource/issues/crud/1')).text).not.toContain('<textarea')
    expect((await html.post(own, new URLSearchParams({ _method: 'PATCH', text: 'Edited' }))).status).toBe(303)
    const asked = await html.post(own, new URLSearchParams({ _method: 'DELETE' }))
    expect([asked.status, asked.text.includes('Delete the comment by Ada?')]).toEqual([200, true])
    expect(await texts('ada', 1)).toEqual(['Edited'])
    const gone = await html.post(own, new URLSearchParams({ _method: 'DELETE', _confirmed: '1' }))
    expect([gone.status, gone.headers.get('location')]).toEqual([303, '/admin/resource/issues/crud/1#comments'])
    expect(await world.kept()).toBe(0)
  })
})

describe.each(['sqlite', 'postgresql'] as const)('who is told of a comment over %s', (over) => {
  let world: { readonly panel: Panel; run(sql: string): Promise<unknown>; end(): Promise<void> }
  const logged: string[] = []
  beforeEach(async () => {
    logged.length = 0
    world = await opened(over, { notifications: true, log: ({ message }) => logged.push(message) })
    for (const { username, name, roles } of Object.values(people))
      await world.panel.ensureUser({ username, name, roles, password: 'correct horse battery' })
  })
  afterEach(() => world?.end())

  const as = (who: Who) => testPanel(world.panel).as(people[who])
  const told = async (who: Who) => {
    const { data } = (await as(who).get('/admin/notifications')).json<{ data: { text: string; link: string }[] }>()
    return data.map(({ text, link }) => `${text} ${link.replace(/\?cursor=\d+#comment-\d+$/, '#')}`)
  }
  const write = async (who: Who, text: string, path = 'issues/crud/1') =>
    expect((await as(who).post(`/admin/resource/${path}/comments`, { text })).status).toBe(201)

  test('whoever has written before, or is named, if they may read it; nobody twice, and not its author', async () => {
    await write('ada', 'First, @gil. Not @nil, @nobody or me, @ada')
    expect(await told('gil')).toEqual(['Ada mentioned you on One /admin/resource/issues/crud/1/comments#'])
    await write('bob', 'Second, @ada')
    await write('lea', 'Third')
    const lea = 'Lea commented on One /admin/resource/issues/crud/1/comments#'
    expect(await told('ada')).toEqual([lea, '<b>Bob</b> mentioned you on One /admin/resource/issues/crud/1/comments#'])
    expect(await told('bob')).toEqual([lea])
    expect(await told('gil')).toHaveLength(1)
    for (const who of ['lea'] as const) expect(await told(who)).toEqual([])
    await write('lea', 'Of team b, @ada', 'issues/crud/3')
    expect(await told('ada')).toHaveLength(2)
  })

  test('by the name that they would see', async () => {
    await write('ada', 'First', 'named/crud/1')
    await write('lea', '@bob', 'named/crud/1')
    await write('bob', '@lea', 'named/crud/1')
    expect(await told('ada')).toEqual([
      '<b>Bob</b> commented on 1 /admin/resource/named/crud/1/comments#',
      'Lea commented on 1 /admin/resource/named/crud/1/comments#',
    ])
    expect(await told('bob')).toEqual(['Lea mentioned you on 1 /admin/resource/named/crud/1/comments#'])
    expect(await told('lea')).toEqual(['<b>Bob</b> mentioned you on One /admin/resource/named/crud/1/comments#'])
  })

  test('nobody whose scope fails, which is logged', async () => {
    await write('ada', '@gil', 'failing/crud/1')
    expect(await told('gil')).toEqual([])
    expect(logged).toEqual(['refused by the hook'])
  })

  test('or nobody, if that fails: it is logged, and the comment is there', async () => {
    await write('ada', 'First')
    await world.run(`drop table ${over === 'sqlite' ? 'daymark_notifications' : 'daymark.notifications'}`)
    await write('bob', 'Second')
    const { data } = (await as('ada').get('/admin/resource/issues/crud/1/comments')).json<{ data: One[] }>()
    expect(data.map(({ text }) => text)).toEqual(['Second', 'First'])
    // Whoever looks for old ones may come to the same.
    expect([...new Set(logged)]).toHaveLength(1)
  })

  test('nobody of what was refused, or changed', async () => {
    await write('ada', 'First')
    expect((await as('gil').post('/admin/resource/issues/crud/1/comments', { text: '@ada' })).status).toBe(403)
    expect((await as('bob').post('/admin/resource/issues/crud/1/comments', { text: ' ' })).status).toBe(422)
    await write('bob', 'Second')
    const [{ id }] = (await as('bob').get('/admin/resource/issues/crud/1/comments')).json<{ data: [One] }>().data
    expect((await as('bob').patch(`/admin/resource/issues/crud/1/comments/${id}`, { text: '@lea' })).status).toBe(200)
    expect(await told('ada')).toHaveLength(1)
    expect(await told('lea')).toEqual([])
  })
})

test('what cannot have comments stops the start', () => {
  const ids = (of: () => unknown) => {
    try {
      of()
    } catch (thrown) {
      return (thrown as DeclarationError).problems.map(({ id, where }) => `${id} ${where}`)
    }
    return []
  }
  const panel = (spec: object) => () => definePanel({ database: 'sqlite::memory:', ...spec } as never)
  expect(ids(panel({ resources: [defineResource({ model: memoryStore(issues), comments: true })] }))).toEqual([
    'comments-database issues.comments',
  ])
  expect(ids(panel({ resources: [defineResource({ model: issues, database: 'sqlite:other.db', comments: true })] }))).toEqual([
    'comments-database issues.comments',
  ])
  expect(ids(panel({ resources: [defineResource({ model: issues, comments: 'yes' as never })] }))).toEqual([
    'setting-value issues.comments',
  ])
})
