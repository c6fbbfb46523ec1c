import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  belongsTo,
  chart,
  dateTime,
  definePage,
  definePanel,
  defineResource,
  groups,
  historyResource,
  id,
  largestOf,
  memoryStore,
  smallestOf,
  text,
  trashResource,
  view,
} from 'daymark'
import { createClient } from 'daymark/client'
import { testPanel } from 'daymark/testing'
import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { xlsx } from '../../src/xlsx.js'
import { Sqlite } from '../support/sqlite.js'

const authors = sqliteTable('authors', { id: integer().primaryKey(), name: varchar().notNull() })
const posts = sqliteTable('posts', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  authorId: integer('author_id').references(() => authors.id),
  at: varchar(),
  made: varchar().notNull().default(sql`CURRENT_TIMESTAMP`),
  hooked: varchar(),
  deletedAt: varchar('deleted_at'),
})
const comments = sqliteTable('comments', { id: integer().primaryKey(), postId: integer('post_id').references(() => posts.id) })
const schema = `create table comments (id integer primary key, post_id integer references posts (id));
  create table authors (id integer primary key, name text not null);
  create table posts (id integer primary key, name text not null, author_id integer references authors (id), at text,
    made datetime not null default current_timestamp, hooked text, deleted_at text)`

/** Each with the text of 2026-11-29T17:35:40.000Z. */
const notations = {
  'YYYY-MM-DD HH:MM:SS': '2026-11-29 17:35:40',
  'YYYY-MM-DDTHH:MM:SSZ': '2026-11-29T17:35:40Z',
  'YYYY-MM-DDTHH:MM:SS.SSSZ': '2026-11-29T17:35:40.000Z',
  'YYYY-MM-DD HH:MM:SS.SSSSSS': '2026-11-29 17:35:40.000000',
} as const
type Notation = keyof typeof notations

function declared(model: object, stored: Notation, history: boolean) {
  const Posts = defineResource({
    model: model as typeof posts,
    fields: {
      id: id(),
      name: text('Name').required(),
      authorId: belongsTo('Author', authors),
      at: dateTime('At').stored(stored).sortable(),
      made: dateTime('Made').sortable(),
      hooked: dateTime('Hooked').stored(stored),
      deletedAt: dateTime('Deleted').stored(stored).visible(false),
    },
    filters: ['at', 'made'],
    views: [view.calendar('at')],
    massUpdate: ['at'],
    import: true,
    history,
    softDelete: 'deletedAt',
    sortColumn: 'id',
    sortDirection: 'ASC',
    queryTags: { past: { label: 'Past', where: { at: { lt: '2026-11-29T18:00:00+01:00' } } } },
    hooks: { beforeSave: ({ values }) => ({ hooked: values.name === 'odd' ? 'soon' : '2026-11-29T18:35:40.000+01:00' }) },
  })
  const Authors = defineResource({
    model: authors,
    fields: {
      id: id(),
      name: text('Name'),
      first: smallestOf('First', posts, 'authorId', 'at', stored),
      last: largestOf('Last', posts, 'authorId', 'at', stored).sortable(),
    },
    pages: { index: ['id', 'name', 'first', 'last'] },
    filters: ['last'],
  })
  const Comments = defineResource({
    model: comments,
    fields: { id: id(), postId: belongsTo('Post', posts) },
    pages: { index: ['id', 'postId.at'] },
    filters: ['postId.at'],
    sortable: ['postId.at'],
  })
  const page = definePage({
    uri: 'charts',
    title: 'Charts',
    can: true,
    components: [
      chart({ name: 'days', label: 'Days', data: groups.count(Posts, { by: 'at', every: 'day', last: 3 }) }),
      chart({
        name: 'today',
        label: 'Today',
        data: groups.count(Posts, { by: 'at', every: 'day', last: 3, where: { at: { within: 'today' } } }),
      }),
    ],
  })
  return { Posts, Authors, Comments, page }
}

const cellOf = (page: string, day: string) =>
  [...page.matchAll(/<td[^>]*><div class="day"><time datetime="([\d-]+)".*?<\/td>/gs)]
    .find(([, one]) => one === day)?.[0]
    ?.replace(/<[^>]*>/g, ' ') ?? ''

const path = '/admin/resource/posts'
const at = 'Europe/Berlin'
interface Post {
  readonly id: number
  readonly name: string
  readonly at: string | null
  readonly made: string
  readonly hooked: string | null
}
interface List {
  readonly data: readonly Post[]
  readonly meta: { readonly total?: number; readonly nextCursor?: string | null; readonly prevCursor?: string | null }
  readonly links: { readonly next: string | null; readonly prev: string | null }
}

describe.each(Object.entries(notations) as [Notation, string][])('times as %j', (stored, sample) => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-text-times-'))
  const file = join(folder, 'posts.db')
  const client = new Sqlite(file)
  client.exec(schema)
  const settings = { locale: 'en-US', timeZone: at, database: `sqlite:${file}`, formats: [xlsx()], log: () => {} }
  const { Posts, Authors, Comments, page } = declared(posts, stored, true)
  const panel = definePanel({ ...settings, resources: [Posts, Authors, Comments, trashResource(Posts), historyResource()], pages: [page] })
  const plain = declared(posts, stored, false)
  const open = definePanel({ ...settings, auth: 'open', resources: [plain.Posts, plain.Authors] })
  const app = testPanel(panel).as({ roles: ['admin'] })
  afterAll(async () => {
    await panel.close()
    await open.close()
    client.close()
    rmSync(folder, { recursive: true })
  })
  const keepsFractions = stored.includes('.')
  const raw = (key: number, column = 'at') => client.prepare(`select ${column} from posts where id = ?`).raw().get(key)?.[0 as never]
  const store = (key: number, value: unknown, column = 'at') =>
    client.prepare(`update posts set ${column} = ? where id = ?`).run(value, key)
  const list = async (query: string) => {
    const answer = await app.get(`${path}/crud?${query}`)
    expect({ query, status: answer.status }).toEqual({ query, status: 200 })
    return answer.json<List>()
  }
  const found = async (query: string) => (await list(`perPage=100&${query}`)).data.map(({ name }) => name).join()
  const create = async (name: string, time: unknown) => {
    const answer = await app.post(`${path}/crud`, { name, at: time })
    expect(answer.status, answer.text).toBe(201)
    return answer.json<{ data: Post }>().data
  }
  const keys = new Map<string, number>()
  beforeAll(async () => {
    for (const [name, time] of [
      ['noon', '2026-11-29T12:00:00Z'],
      ['none', null],
      ['five', '2026-11-29T17:35:40+00:00'],
      ['next', '2026-11-29T18:35:41.000+01:00'],
      ['late', '2026-11-29T22:59:59Z'],
      ['later', '2026-11-29T23:00:00Z'],
      ['old', '0999-12-31T23:59:59Z'],
    ] as const)
      keys.set(name, (await create(name, time)).id)
  })
  const key = (name: string) => keys.get(name) as number

  test('are written as declared, also by hooks, and read as RFC 3339', async () => {
    expect(raw(key('five'))).toBe(sample)
    expect(raw(key('five'), 'hooked')).toBe(sample)
    expect(raw(key('five'), 'made')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const { data } = (await app.get(`${path}/crud/${key('five')}`)).json<{ data: Post }>()
    expect(data).toMatchObject({ at: '2026-11-29T17:35:40.000Z', hooked: '2026-11-29T17:35:40.000Z' })
    expect(Date.now() - Date.parse(data.made)).toBeLessThan(120_000)
    expect((await list('sort=id&perPage=3')).data.map((one) => one.at)).toEqual([
      '2026-11-29T12:00:00.000Z',
      null,
      '2026-11-29T17:35:40.000Z',
    ])
    const finer = await app.post(`${path}/crud`, { name: 'finer', at: '2026-11-29T17:35:40.0005Z' })
    expect([finer.status, Object.keys(finer.json<{ errors: object }>().errors)]).toEqual([422, ['at']])
    const millis = await app.patch(`${path}/crud/${key('noon')}`, { at: '2026-11-29T12:00:00.5Z' })
    expect(millis.status).toBe(keepsFractions ? 200 : 422)
    if (keepsFractions) expect(raw(key('noon'))).toMatch(/12:00:00\.500(?:000|Z)$/)
    await app.patch(`${path}/crud/${key('noon')}`, { at: '2026-11-29T12:00:00Z' })
    for (const wrong of ['2026-11-29 17:35:40', 'noon', 5, '2026-02-30T00:00:00Z'])
      expect((await app.patch(`${path}/crud/${key('noon')}`, { at: wrong })).json()).toMatchObject({ errors: { at: [expect.any(String)] } })
  })

  test('are refused at their field where a hook gives a text that is none', async () => {
    const answer = await app.post(`${path}/crud`, { name: 'odd' })
    expect([answer.status, answer.json()]).toEqual([
      422,
      expect.objectContaining({ errors: { hooked: ['Hooked must be a date and time: 2026-11-21T17:30:00Z'] } }),
    ])
    expect((await list('perPage=100')).data.map(({ name }) => name)).not.toContain('odd')
  })

  test('are filtered, by every operator, in the zone of the user', async () => {
    const five = '2026-11-29T17:35:40Z'
    expect(await found(`filter[at]=${five}`)).toBe('five')
    expect(await found('filter[at]=2026-11-29T18:35:40')).toBe('five')
    expect(await found(`filter[at][]=${five}&filter[at][]=2026-11-29T12:00:00Z`)).toBe('noon,five')
    expect(await found(`filter[at][ne]=${five}`)).toBe('noon,none,next,late,later,old')
    expect(await found(`filter[at][gt]=${five}`)).toBe('next,late,later')
    expect(await found(`filter[at][gte]=${five}`)).toBe('five,next,late,later')
    expect(await found(`filter[at][lt]=${five}`)).toBe('noon,old')
    expect(await found(`filter[at][lte]=${five}`)).toBe('noon,five,old')
    expect(await found('filter[at][from]=2026-11-29T17:35:40.001Z&filter[at][to]=2026-11-29T17:35:41.5Z')).toBe('next')
    expect(await found('filter[at][from]=2026-11-29T17:35Z&filter[at][to]=2026-11-29T17:36Z')).toBe('five,next')
    expect(await found('filter[at][from]=2026-11-30')).toBe('later')
    expect(await found('filter[at][null]=1')).toBe('none')
    expect(await found('filter[made][within]=today&filter[at][null]=0')).toBe('noon,five,next,late,later,old')
    expect(await found('query-tag=past')).toBe('noon,old')
    for (const operator of ['', '[ne]', '[gt]', '[within]'])
      expect((await app.get(`${path}/crud?filter[at]${operator}=noon`)).status).toBe(422)
    const page = (await app.html.get(`${path}/crud?filter[at][from]=2026-11-29T18:36`)).text
    expect(page).toContain('At &#8805; Nov 29, 2026, 6:36')
    expect(page).toContain('<time datetime="2026-11-29T22:59:59.000Z"')
    expect(page).not.toContain('<time datetime="2026-11-29T17:35:41.000Z"')
  })

  test('are sorted, and cursors lead both ways', async () => {
    expect(await found('sort=at')).toBe('old,noon,five,next,late,later,none')
    expect(await found('sort=-at')).toBe('later,late,next,five,noon,old,none')
    for (const sort of ['at', '-at,id', 'made,-at']) {
      const whole = (await list(`sort=${sort}&perPage=100`)).data.map(({ name }) => name)
      const pages: string[][] = []
      let query = `sort=${sort}&perPage=2&cursor=`
      let back: string | null = null
      for (;;) {
        const { data, links } = await list(query)
        pages.push(data.map(({ name }) => name))
        back = links.prev
        if (links.next === null) break
        query = links.next.split('?')[1] as string
      }
      expect(pages.flat()).toEqual(whole)
      const backwards = [pages.at(-1) as string[]]
      while (back !== null) {
        const { data, links } = await list(back.split('?')[1] as string)
        backwards.unshift(data.map(({ name }) => name))
        back = links.prev
      }
      expect(backwards.flat()).toEqual(whole)
    }
  })

  test('what others have written is read, and what is no time is empty', async () => {
    const { id } = await create('others', null)
    const odd: readonly (readonly [string, string | null])[] = [
      ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
      ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
      ['2026-01-02T03:04:05.678901+01:00', '2026-01-02T02:04:05.678Z'],
      ['2026-01-02', '2026-01-02T00:00:00.000Z'],
      ['2026-02-30 00:00:00', null],
      ['never', null],
      ['', null],
      ['<b>', null],
    ]
    for (const [value, shown] of odd) {
      store(id, value)
      const answer = await app.get(`${path}/crud/${id}`)
      expect({ value, at: answer.json<{ data: Post }>().data.at }).toEqual({ value, at: shown })
      expect((await list(`filter[at][null]=0&sort=-at&perPage=100`)).data.find((one) => one.id === id)?.at).toBe(shown)
      for (const page of [`/crud/${id}`, '/crud?sort=at', '/crud?view=calendar', '/export'])
        expect((await app.html.get(`${path}${page}`)).status).toBe(200)
      const form = (await app.html.get(`${path}/form-page/${id}`)).text
      const [, typed = ''] = /value="([^"]*)"[^>]* id="field-at"/.exec(form) ?? []
      // The text stays if nobody changes it.
      const saved = await app.html.put(`${path}/crud/${id}`, new URLSearchParams({ name: `others ${value}`, at: typed, '_was[at]': typed }))
      expect(saved.status).toBe(303)
      expect(raw(id)).toBe(value)
    }
    // A column that is declared DATETIME holds numbers, too.
    store(id, 7, 'made')
    expect((await list('sort=made&perPage=1')).data).toMatchObject([{ id, made: null }])
    const { links } = await list('sort=made&perPage=1&cursor=')
    expect((await list((links.next as string).split('?')[1] as string)).data[0]?.id).toBe(key('noon'))
    store(id, '2026-01-01 00:00:00', 'made')
    // Illegible texts are told apart by versions, too.
    const tags = []
    for (const value of ['never', 'ever']) {
      store(id, value)
      tags.push((await app.get(`${path}/crud/${id}`)).headers.get('etag'))
    }
    expect(tags[0]).not.toBe(tags[1])
    // A cursor leads on from one.
    const seen: number[] = []
    for (let query: string | undefined = 'sort=-at&perPage=1&cursor='; query !== undefined; ) {
      const { data, links }: List = await list(query)
      seen.push(...data.map((one) => one.id))
      query = links.next?.split('?')[1]
    }
    expect(seen).toHaveLength(8)
    expect(seen[0]).toBe(id)
    client.prepare('delete from posts where id = ?').run(id)
  })

  if (!stored.endsWith('Z'))
    test('are compared rightly, with and without a fraction', async () => {
      const half = 'half past five'
      for (const fraction of ['', '.25', '.250000', '.250999', '.5'])
        client
          .prepare('insert into posts (name, at) values (?, ?)')
          .run(half, `${sample.slice(0, 10).replace('2026', '2025')} 17:30:00${fraction}`)
      const count = async (query: string) =>
        (await list(`perPage=1&search=&filter[at][from]=2025-11-29&filter[at][lt]=2025-11-30&${query}`)).meta.total
      expect(await count('')).toBe(5)
      expect(await count('filter[at]=2025-11-29T17:30:00Z')).toBe(1)
      expect(await count('filter[at]=2025-11-29T18:30')).toBe(1)
      expect(await count('filter[at][gte]=2025-11-29T17:30Z')).toBe(5)
      expect(await count('filter[at][gt]=2025-11-29T17:30Z')).toBe(4)
      expect(await count('filter[at][lte]=2025-11-29T17:30Z')).toBe(1)
      expect(await count('filter[at][gte]=2025-11-29T17:30:00.25Z')).toBe(4)
      expect(await count('filter[at][gt]=2025-11-29T17:30:00.25Z')).toBe(1)
      expect(await count('filter[at][lte]=2025-11-29T17:30:00.25Z')).toBe(4)
      if (keepsFractions) expect(await count('filter[at]=2025-11-29T17:30:00.25Z')).toBe(3)
      client.prepare('delete from posts where name = ?').run(half)
    })

  test('forms and pages have them in the zone of the user', async () => {
    const [one, form] = [`${path}/crud/${key('five')}`, `${path}/form-page/${key('five')}`]
    expect((await app.html.get(one)).text).toContain('<time datetime="2026-11-29T17:35:40.000Z"')
    expect((await app.html.get(form)).text).toContain(
      '<input type="datetime-local" step="any" value="2026-11-29T18:35:40" id="field-at" name="at">',
    )
    const put = (time: string) => app.html.put(one, new URLSearchParams({ at: time }))
    expect((await put('2026-07-01T12:00')).status).toBe(303)
    expect(raw(key('five'))).toBe(sample.replace('2026-11-29', '2026-07-01').replace('17:35:40', '10:00:00'))
    const wrong = await put('2026-10-25T02:30')
    expect([wrong.status, wrong.text.includes('value="2026-10-25T02:30"')]).toEqual([422, true])
    expect((await put('2026-11-29T18:35:40')).status).toBe(303)
    expect(raw(key('five'))).toBe(sample)
  })

  test('a version holds, and history takes a change back', async () => {
    const one = `${path}/crud/${key('five')}`
    const etag = (await app.get(one)).headers.get('etag') as string
    expect((await app.patch(one, { at: '2026-12-01T00:00:00Z' }, { headers: { 'if-match': etag } })).status).toBe(200)
    expect((await app.patch(one, { at: '2026-12-02T00:00:00Z' }, { headers: { 'if-match': etag } })).status).toBe(412)
    const [last] = (await app.get(`${one}/history`)).json<{ data: { id: number; changes: object }[] }>().data
    expect(last?.changes).toEqual({ at: { before: '2026-11-29T17:35:40.000Z', after: '2026-12-01T00:00:00.000Z' } })
    const page = (await app.html.get(`${path}/form-page/${key('five')}?restore=${last?.id}`)).text
    expect(page).toMatch(/value="2026-11-29T18:35:40"[^>]* id="field-at"/)
    expect((await app.html.put(one, new URLSearchParams({ at: '2026-11-29T18:35:40' }))).status).toBe(303)
    expect(raw(key('five'))).toBe(sample)
  })

  test('several records are changed at once', async () => {
    const change = (time: unknown) => app.post(`${path}/handler/massUpdate`, { ids: [key('five'), key('next')], at: time })
    expect((await change('2026-11-29T17:35:40Z')).json()).toMatchObject({ message: '2 saved' })
    expect([raw(key('five')), raw(key('next'))]).toEqual([sample, sample])
    expect((await change('soon')).status).toBe(422)
    await app.patch(`${path}/crud/${key('next')}`, { at: '2026-11-29T17:35:41Z' })
  })

  test('calendars and charts have them by the days of the user', async () => {
    const page = (await app.html.get(`${path}/crud?view=calendar&month=2026-11`)).text
    const on = (day: string) =>
      ['noon', 'five', 'next', 'late', 'later'].filter((name) => new RegExp(`\\b${name}\\b`).test(cellOf(page, day)))
    expect([on('2026-11-28'), on('2026-11-29'), on('2026-11-30')]).toEqual([[], ['noon', 'five', 'next', 'late'], ['later']])
    const made = await create('now', new Date(Math.floor(Date.now() / 1000) * 1000).toISOString())
    const charts = (await app.get('/admin/page/charts')).json<{ data: Record<string, { series: { values: number[] }[] }> }>().data
    expect(charts.today?.series[0]?.values.at(-1)).toBeGreaterThan(0)
    expect(charts.days?.series[0]?.values.at(-1)).toBe(charts.today?.series[0]?.values.at(-1))
    client.prepare('delete from posts where id = ?').run(made.id)
  })

  test('files have them, and come back', async () => {
    const csv = (await app.html.get(`${path}/export?filter[at][from]=2026-11-29T17:35:40Z&filter[at][to]=2026-11-29T17:35:40Z`)).text
    expect(csv).toContain('2026-11-29')
    const take = async (time: string) => {
      const form = new FormData()
      form.set('file', new Blob([`name,at\r\nimported,${time}\r\n`]), 'posts.csv')
      const answer = await app.post(`${path}/import`, form)
      if (answer.status !== 200) return answer.status
      const [, key] = client.prepare("select at, id from posts where name = 'imported'").raw().get() as [string, number]
      const text = raw(key)
      client.prepare('delete from posts where id = ?').run(key)
      return text
    }
    expect(await take('2026-11-29T17:35:40Z')).toBe(sample)
    expect(await take('2026-11-29 18:35:40')).toBe(sample)
    expect(await take('soon')).toBe(422)
    const form = new FormData()
    const book = await open.fetch(new Request(`http://localhost${path}/export?format=xlsx&fields=name,at&filter[at]=2026-11-29T17:35:40Z`))
    form.set('file', new Blob([await book.arrayBuffer()]), 'posts.xlsx')
    expect((await app.post(`${path}/import`, form)).status).toBe(200)
    const both = client.prepare("select at from posts where name = 'five' order by id").raw().all() as unknown[][]
    expect(both.flat()).toEqual([sample, sample])
    client.prepare("delete from posts where name = 'five' and id <> ?").run(key('five'))
  })

  test('a deleted record lies in the trash, and comes back', async () => {
    const { id } = await create('gone', null)
    expect((await app.delete(`${path}/crud/${id}`)).status).toBe(200)
    expect(raw(id, 'deleted_at')).toMatch(new RegExp(`^${sample.replace(/\d/g, '\\d').replaceAll('+', '\\+').replaceAll('.', '\\.')}$`))
    expect(await found('')).not.toContain('gone')
    const trash = '/admin/resource/posts-trash'
    const { data } = (await app.get(`${trash}/crud`)).json<{ data: { id: number; deletedAt: string }[] }>()
    expect(data.map((one) => one.id)).toEqual([id])
    expect(Date.now() - Date.parse(data[0]?.deletedAt as string)).toBeLessThan(60_000)
    expect((await app.html.get(`${trash}/crud?filter[deletedAt][within]=today`)).text).toContain(`data-key="${id}"`)
    expect((await app.post(`${trash}/handler/restore`, { ids: [id] })).status).toBe(200)
    expect([raw(id, 'deleted_at'), (await found('')).includes('gone')]).toEqual([null, true])
    client.prepare('delete from posts where id = ?').run(id)
  })

  test('the first and the last of related records are told', async () => {
    client.exec("insert into authors values (1, 'Ann'), (2, 'Bob')")
    for (const name of ['noon', 'five', 'late']) await app.patch(`${path}/crud/${key(name)}`, { authorId: 1 })
    const told = async (query: string) => (await app.get(`/admin/resource/authors/crud?${query}`)).json<{ data: object[] }>().data
    expect(await told('sort=-last')).toEqual([
      expect.objectContaining({ first: '2026-11-29T12:00:00.000Z', last: '2026-11-29T22:59:59.000Z' }),
      expect.objectContaining({ first: null, last: null }),
    ])
    expect(await told('filter[last][lte]=2026-11-29T22:59:59Z')).toHaveLength(1)
    expect(await told('filter[last]=2026-11-29T22:59:59Z')).toHaveLength(1)
    expect(await told('filter[last][gt]=2026-11-29T22:59:59Z')).toHaveLength(0)
  })

  test('a list has them of related records, sorted and filtered', async () => {
    for (const name of ['late', 'none', 'five', 'noon']) client.prepare('insert into comments (post_id) values (?)').run(key(name))
    const told = async (query: string) =>
      (await app.get(`/admin/resource/comments/crud?${query}`)).json<{ data: Record<string, unknown>[] }>().data.map((one) => one.id)
    expect(await told('sort=postId.at')).toEqual([4, 3, 1, 2])
    expect(await told('sort=-postId.at')).toEqual([1, 3, 4, 2])
    expect(await told('sort=id&filter[postId.at][gte]=2026-11-29T17:35:40Z')).toEqual([1, 3])
    expect(await told('filter[postId.at]=2026-11-29T17:35:40Z')).toEqual([3])
    expect((await app.html.get('/admin/resource/comments/crud')).text).toContain('<time datetime="2026-11-29T22:59:59.000Z"')
  })

  test('the typed client has them as texts, and the document as date-time', async () => {
    const typed = createClient<typeof open>({ baseUrl: 'http://localhost/admin', fetch: (request) => open.fetch(request) })
    const { data } = await typed.posts.list({
      filter: { at: { gte: '2026-11-29T17:35:40Z', lte: '2026-11-29T17:35:40Z' }, made: { within: 'today' } },
    })
    expect(data.map((one) => [one.name, one.at])).toEqual([['five', '2026-11-29T17:35:40.000Z']])
  })
})

const stored = 'YYYY-MM-DD HH:MM:SS'
const memory = sqliteTable('notes', { id: integer().primaryKey(), at: varchar(), deletedAt: varchar() })

test('a store in memory compares them, too', async () => {
  const store = memoryStore(memory, [
    { id: 1, at: '2020-11-29 12:00:00' },
    { id: 2, at: '2020-11-29 17:35:40' },
    { id: 3, at: null },
  ])
  const Notes = defineResource({
    model: store,
    fields: { id: id(), at: dateTime('At').stored(stored).sortable() },
    filters: ['at'],
    sortColumn: 'id',
    sortDirection: 'ASC',
  })
  const page = definePage({
    uri: 'charts',
    title: 'Charts',
    can: true,
    components: [chart({ name: 'days', label: 'Days', data: groups.count(Notes, { by: 'at', every: 'day', last: 2 }) })],
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Notes], pages: [page] }))
  const crud = '/admin/resource/notes/crud'
  const found = async (query: string) => (await app.get(`${crud}?${query}`)).json<List>().data.map((one) => one.id)
  expect(await found('filter[at]=2020-11-29T17:35:40Z')).toEqual([2])
  expect(await found('filter[at][gt]=2020-11-29T12:00:00Z')).toEqual([2])
  expect(await found('filter[at][lte]=2020-11-29T17:35:40Z')).toEqual([1, 2])
  expect(await found('filter[at][lt]=2020-11-29T17:35:40.5Z&sort=-at')).toEqual([2, 1])
  const made = await app.post(crud, { at: new Date(Math.floor(Date.now() / 1000) * 1000).toISOString() })
  expect(made.status).toBe(201)
  expect(await found('filter[at][within]=today')).toEqual([4])
  const charts = (await app.get('/admin/page/charts')).json<{ data: { days: { series: { values: number[] }[] } } }>().data
  expect(charts.days.series[0]?.values).toEqual([0, 1])
})

test('a default of the column says how, and a default of the field is written so', async () => {
  // What a panel is given as its own is a whole client.
  const client = new Libsql(':memory:')
  client.exec('create table notes (id integer primary key, at text, made text, plain text)')
  const table = sqliteTable('notes', {
    id: integer().primaryKey(),
    at: varchar(),
    made: varchar().default(sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`),
    usual: varchar('made').default(sql`(datetime('now'))`),
    plain: varchar().default(sql`(lower('X'))`),
    // SQLite keeps whole times in it all the same, as it keeps any text.
    short: varchar('plain', { length: 10 }).default(sql`CURRENT_TIMESTAMP`),
  })
  const { fields, model } = defineResource({ model: table })
  expect([...fields.values()].map(({ key, kind }) => [key, kind.name, model.columns.get(key)?.stored])).toEqual([
    ['id', 'id', null],
    ['at', 'text', null],
    ['made', 'dateTime', 'YYYY-MM-DDTHH:MM:SS.SSSZ'],
    ['usual', 'dateTime', stored],
    ['plain', 'text', null],
    ['short', 'text', null],
  ])
  const Notes = defineResource({
    model: table,
    fields: { id: id(), at: dateTime('At').stored(stored).default('2020-11-29T18:35:40+01:00') },
  })
  const panel = definePanel({ auth: 'open', database: { $client: client } as unknown as string, resources: [Notes] })
  expect((await testPanel(panel).post('/admin/resource/notes/crud', {})).status).toBe(201)
  expect(client.prepare('select at from notes').raw().get()).toEqual(['2020-11-29 17:35:40'])
  await panel.close()
})

test('what a column cannot hold, and a trash by a text of which nothing is known, stop the start', () => {
  const start = (at: object) => () =>
    definePanel({
      auth: 'open',
      resources: [
        defineResource({
          model: memoryStore(sqliteTable('notes', { id: integer().primaryKey(), at: varchar({ length: 9 }) })),
          fields: { id: id(), at: at as ReturnType<typeof dateTime> },
        }),
      ],
    })
  expect(start(dateTime().stored(stored))).toThrow('its column takes 9 characters, and such a time has 19')
  expect(start(dateTime().stored(stored).default('soon'))).toThrow('notes.fields.at')
  expect(start(dateTime())).toThrow("say how it holds times, .stored('YYYY-MM-DD HH:MM:SS')")
  const trashed = () => definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(memory), softDelete: 'deletedAt' })] })
  expect(trashed).toThrow('the column "deletedAt" is a text; in SQLite, declare it as a field')
})
