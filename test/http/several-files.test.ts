import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, file, folder, id, image, type Panel, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Inside, inside } from '../../src/panel.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const places = sqliteTable('places', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  photos: varchar({ mode: 'json' }).$type<readonly string[]>(),
  papers: varchar({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
})
// One column of JSON, and one that is a list.
const inPostgresql = pg.pgTable('places', {
  id: pg.serial().primaryKey(),
  name: pg.text().notNull(),
  photos: pg.jsonb().$type<readonly string[]>(),
  papers: pg.varchar({ length: 80 }).array().notNull().default([]),
}) as unknown as typeof places

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const pngOf = (name: string) => new File([png as never], name)
const pdfOf = (name: string) => new File(['%PDF-1.4\n%%EOF\n'], name)

function panelOver(database: string, model: typeof places, uploads: string): Panel {
  const fields = { id: id(), name: text('Name'), photos: image('Photos').multiple().maxFiles(3), papers: file('Papers').multiple() }
  const Places = defineResource({
    model,
    title: 'Places',
    fields,
    pages: { index: ['id', 'name', 'photos', 'papers'] },
    history: true,
    filters: ['photos'],
    hooks: { beforeSave: ({ values }) => (values.name === 'Own' ? { papers: ['mine/own.pdf'] } : undefined) },
  })
  const Shown = defineResource({ model, uriKey: 'shown', fields: { ...fields, photos: image('Photos').multiple().required() } })
  return definePanel({ auth: 'open', database, resources: [Places, Shown], files: folder(uploads), log: () => {} } as never)
}

const stores = {
  async SQLite() {
    const place = mkdtempSync(join(tmpdir(), 'daymark-files-'))
    const client = new Sqlite(join(place, 'files.db'))
    client.exec("create table places (id integer primary key, name text not null, photos text, papers text not null default '[]')")
    const panel = panelOver(`sqlite:${join(place, 'files.db')}`, places, join(place, 'uploads'))
    const loose = async () => (client.prepare('select path from daymark_files').all() as { path: string }[]).map(({ path }) => path)
    const damage = async () => void client.exec(`update places set photos = '{"a":1}'`)
    const end = async () => {
      await panel.close()
      client.close()
      rmSync(place, { recursive: true, force: true })
    }
    return { panel, loose, damage, uploads: join(place, 'uploads'), end }
  },
  async PostgreSQL() {
    const place = mkdtempSync(join(tmpdir(), 'daymark-files-'))
    const database = await openDatabase()
    await database.query(
      "create table places (id serial primary key, name text not null, photos jsonb, papers varchar(80)[] not null default '{}')",
    )
    const panel = panelOver(database.url, inPostgresql, join(place, 'uploads'))
    const loose = async () => ((await database.query('select path from daymark.files')).rows as { path: string }[]).map(({ path }) => path)
    const damage = async () => void (await database.query(`update places set photos = '{"a":1}'`))
    const end = async () => {
      await panel.close()
      await database.drop()
      rmSync(place, { recursive: true, force: true })
    }
    return { panel, loose, damage, uploads: join(place, 'uploads'), end }
  },
}

describe.each(Object.entries(stores))('several files in a field, over %s', (dialect, open) => {
  let opened: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened?.end())

  interface Place {
    readonly id: number
    readonly photos: readonly string[] | null
    readonly papers: readonly string[]
  }
  const crud = (more = '') => `/admin/resource/places/crud${more}`
  const app = (user = '7') => testPanel(opened.panel).as({ id: user, name: 'Grace', roles: ['admin'] })
  const kept = async (field: string, one: File, as = app()) => {
    const answer = await as.post(`/admin/upload/places/${field}?name=${encodeURIComponent(one.name)}`, new Blob([await one.arrayBuffer()]))
    expect(answer.status, answer.text).toBe(201)
    return (answer.json() as { data: { path: string } }).data.path
  }
  const dataOf = (answer: { json(): unknown }) => (answer.json() as { data: Place }).data
  const errorsOf = (answer: { json(): unknown }) => (answer.json() as { errors: Record<string, readonly string[]> }).errors
  const create = async (values: object) => {
    const answer = await app().post(crud(), values)
    expect(answer.status, answer.text).toBe(201)
    return dataOf(answer)
  }
  const read = (key: number) =>
    app()
      .get(crud(`/${key}`))
      .then(dataOf)
  const names = (paths: readonly string[] | null) => paths?.map((path) => path.replace(/^.*\//, '')) ?? null
  const onDisk = () =>
    existsSync(opened.uploads)
      ? readdirSync(opened.uploads, { recursive: true, withFileTypes: true })
          .flatMap((one) => (one.isFile() ? [one.name] : []))
          .sort()
      : []
  const removeDue = () => (opened.panel as unknown as { readonly [inside]: Inside })[inside].realm.files?.removeDue()
  const form = (all: readonly (readonly [string, string | File])[]) => {
    const made = new FormData()
    for (const [name, value] of all) made.append(name, value)
    return made
  }

  test('a record takes them in their order, and each is read by its path', async () => {
    const [one, two] = [await kept('papers', pdfOf('One.pdf')), await kept('papers', pdfOf('Two.pdf'))]
    const made = await create({ name: 'Bern', papers: [two, one] })
    expect(made).toMatchObject({ photos: null, papers: [two, one] })
    expect(await opened.loose()).toEqual([])
    const file = await app().get(crud(`/${made.id}/file/papers?path=${encodeURIComponent(one)}`))
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      200,
      'application/pdf',
      `inline; filename="One.pdf"; filename*=UTF-8''One.pdf`,
    ])
    const asked = async (query: string) => {
      const answer = await app().get(crud(`/${made.id}/file/papers${query}`), { headers: { accept: 'application/json' } })
      return [answer.status, answer.status === 422 ? Object.keys(errorsOf(answer)) : null]
    }
    expect(await asked('')).toEqual([422, ['path']])
    expect(await asked('?path=')).toEqual([422, ['path']])
    expect(await asked(`?path=${one}&path=${two}`)).toEqual([422, ['path']])
    expect(await asked(`?path=${one}&other=1`)).toEqual([422, ['other']])
    expect(await asked('?path=other/One.pdf')).toEqual([404, null])
    // That of another record.
    const other = await create({ name: 'Basel', papers: [await kept('papers', pdfOf('Three.pdf'))] })
    expect(await asked(`?path=${other.papers[0]}`)).toEqual([404, null])
  })

  test('those that leave the list are removed once the write has ended, and only those', async () => {
    const paths = [await kept('papers', pdfOf('One.pdf')), await kept('papers', pdfOf('Two.pdf')), await kept('papers', pdfOf('Three.pdf'))]
    const { id } = await create({ name: 'Bern', papers: paths })
    const more = await kept('papers', pdfOf('Four.pdf'))
    const answer = await app().patch(crud(`/${id}`), { papers: [more, paths[2], paths[0]] })
    expect([answer.status, dataOf(answer).papers]).toEqual([200, [more, paths[2], paths[0]]])
    expect(await opened.loose()).toEqual([paths[1]])
    await removeDue()
    expect(onDisk()).toEqual(['Four.pdf', 'One.pdf', 'Three.pdf'])
    // What is refused removes none.
    expect((await app().patch(crud(`/${id}`), { papers: [], name: null })).status).toBe(422)
    // Another order removes none either.
    expect((await app().patch(crud(`/${id}`), { papers: [paths[0], paths[2], more] })).status).toBe(200)
    expect(await opened.loose()).toEqual([])
    expect((await app().delete(crud(`/${id}`))).status).toBe(200)
    await removeDue()
    expect(onDisk()).toEqual([])
  })

  test('each is taken once, by one record, from who uploaded it, for its field', async () => {
    const [one, two, photo] = [
      await kept('papers', pdfOf('One.pdf')),
      await kept('papers', pdfOf('Two.pdf')),
      await kept('photos', pngOf('a.png')),
    ]
    const theirs = await kept('papers', pdfOf('Theirs.pdf'), app('8'))
    const refused = async (papers: readonly unknown[]) => {
      const answer = await app().post(crud(), { name: 'Bern', papers })
      return [answer.status, Object.keys(errorsOf(answer))]
    }
    const no = [422, ['papers']]
    expect(await refused([one, theirs])).toEqual(no)
    expect(await refused([one, photo])).toEqual(no)
    expect(await refused([one, 'etc/passwd'])).toEqual(no)
    expect(await refused([one, ''])).toEqual(no)
    expect(await refused([one, 7])).toEqual(no)
    const { papers } = await create({ name: 'Bern', papers: [one, two, one] })
    expect(papers).toEqual([one, two])
    expect(await refused([one])).toEqual(no)
    expect(await opened.loose()).toEqual(expect.arrayContaining([photo, theirs]))
  })

  test('at most so many, and at least one where it is required', async () => {
    const photos = [1, 2, 3, 4].map((n) => kept('photos', pngOf(`${n}.png`)))
    const paths = await Promise.all(photos)
    const many = await app().post(crud(), { name: 'Bern', photos: paths })
    expect([many.status, errorsOf(many)]).toEqual([422, { photos: ['Photos: at most 3'] }])
    const shown = async (values: object) => {
      const answer = await app().post('/admin/resource/shown/crud', { name: 'Bern', ...values })
      return [answer.status, errorsOf(answer)]
    }
    expect(await shown({})).toEqual([422, { photos: ['Photos is required'] }])
    expect(await shown({ photos: [] })).toEqual([422, { photos: ['Photos is required'] }])
    expect((await app().post(crud(), { name: 'Bern', photos: paths.slice(1) })).status).toBe(201)
  })

  test('a form sends files beside those that stay, and boxes remove some', async () => {
    const sent = await app().post(
      crud(),
      form([
        ['name', 'Bern'],
        ['photos', ''],
        ['photos', pngOf('a.png')],
        ['photos', pngOf('b.png')],
        ['papers', pdfOf('c.pdf')],
      ]),
    )
    expect(sent.status, sent.text).toBe(201)
    const made = dataOf(sent)
    expect([names(made.photos), names(made.papers)]).toEqual([['a.png', 'b.png'], ['c.pdf']])
    const [a = '', b = ''] = made.photos ?? []
    const put = (all: readonly (readonly [string, string | File])[]) => app().put(crud(`/${made.id}`), form(all))
    // What a form sends whose user has put them in another order, removed the first and chosen one more.
    const changed = await put([
      ['photos', ''],
      ['photos', b],
      ['photos', a],
      ['_clear[photos]', a],
      ['photos', pngOf('d.png')],
    ])
    expect([changed.status, names(dataOf(changed).photos), names(dataOf(changed).papers)]).toEqual([200, ['b.png', 'd.png'], ['c.pdf']])
    // An untouched form changes nothing.
    const rows = (await read(made.id)).photos ?? []
    const before = await app().get(crud(`/${made.id}/history`), { headers: { accept: 'application/json' } })
    expect(
      (
        await put([
          ['photos', ''],
          ...rows.map((path) => ['photos', path] as const),
          ['name', 'Bern'],
          ['papers', ''],
          ['papers', made.papers[0] as string],
        ])
      ).status,
    ).toBe(200)
    const after = await app().get(crud(`/${made.id}/history`), { headers: { accept: 'application/json' } })
    expect((after.json() as { data: object[] }).data.length).toBe((before.json() as { data: object[] }).data.length)
    // All boxes ticked.
    const none = await put([
      ['photos', ''],
      ...rows.flatMap(
        (path) =>
          [
            ['photos', path],
            ['_clear[photos]', path],
          ] as const,
      ),
    ])
    expect([none.status, dataOf(none).photos]).toEqual([200, null])
    const empty = await put([['papers', '']])
    expect([empty.status, dataOf(empty).papers]).toEqual([200, []])
  })

  test('of more files than a field takes the others are named and not kept, and a text is no list', async () => {
    const photos = ['a', 'b', 'c', 'd', 'e'].map((name) => ['photos', pngOf(`${name}.png`)] as const)
    const many = await app().post(crud(), form([['name', 'Bern'], ...photos]))
    expect([many.status, (many.json() as { errors: object }).errors]).toEqual([422, { photos: ['d.png, e.png: Photos: at most 3'] }])
    expect(await opened.loose()).toHaveLength(3)
    const text = await app().post(crud(), { name: 'Bern', photos: 'Zk3yPq8vR1m0TnXw5LdJcA/a.png' })
    expect((text.json() as { errors: object }).errors).toEqual({ photos: ['Photos must be a list'] })
    const gone = await app().post(crud(), { name: 'Bern', photos: ['Zk3yPq8vR1m0TnXw5LdJcA/a.png'] })
    expect((gone.json() as { errors: object }).errors).toEqual({ photos: ['Photos: a.png is not there any more. Choose it again'] })
  })

  test('of the files of a form those that fit are kept, and the others are named', async () => {
    const html = { headers: { accept: 'text/html' } }
    const answer = await app().post(
      crud(),
      form([
        ['name', 'Bern'],
        ['photos', pngOf('a.png')],
        ['photos', pdfOf('b.pdf')],
        ['photos', pngOf('c.gif')],
      ]),
      html,
    )
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('b.pdf: Photos must be one of these')
    expect(answer.text).toContain('c.gif: Photos: the content of the file does not fit its name')
    const [, path = ''] = /name="photos" value="([^"]+\/a\.png)"/.exec(answer.text) ?? []
    // The form that is shown again holds it.
    const again = await app().post(
      crud(),
      form([
        ['name', 'Bern'],
        ['photos', ''],
        ['photos', path],
      ]),
    )
    expect([again.status, dataOf(again).photos]).toEqual([201, [path]])
    const single = await app().put(crud(`/${dataOf(again).id}`), form([['name', pdfOf('x.pdf')]]))
    expect([single.status, Object.keys(errorsOf(single))]).toEqual([422, ['name']])
  })

  test('a form that is sent twice makes one record, and one with other files is another', async () => {
    const once = crypto.randomUUID()
    const html = { headers: { accept: 'text/html' } }
    const path = await kept('photos', pngOf('a.png'))
    const send = (more: readonly (readonly [string, string | File])[]) =>
      app().post(crud(), form([['_once', once], ['name', 'Bern'], ['photos', pngOf('b.png')], ...more]), html)
    const first = await send([['photos', path]])
    const second = await send([['photos', path]])
    expect([first.status, second.status]).toEqual([303, 303])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect((await send([])).status).not.toBe(303)
  })

  test('pages show them all, and a list how many more there are', async () => {
    const paths = await Promise.all(['a', 'b', 'c'].map((n) => kept('papers', pdfOf(`${n}.pdf`))))
    const photos = await Promise.all(['x', 'y'].map((n) => kept('photos', pngOf(`${n}.png`))))
    const { id: key } = await create({ name: 'Bern', papers: paths, photos })
    const page = async (path: string) => (await app().get(path, { headers: { accept: 'text/html' } })).text
    const list = await page(crud())
    expect(list).toMatch(/a\.pdf<\/a><span class="rest">\+2<\/span>/)
    expect(list).not.toContain('b.pdf</a>')
    for (const one of photos) expect(list).toContain(`src="${crud(`/${key}/file/photos?${new URLSearchParams({ path: one })}`)}"`)
    const record = await page(crud(`/${key}`))
    for (const one of paths) expect(record).toContain(`href="${crud(`/${key}/file/papers?${new URLSearchParams({ path: one })}`)}"`)
    const edit = await page(`/admin/resource/places/form-page/${key}`)
    for (const one of [...paths, ...photos]) expect(edit).toContain(`value="${one}"`)
    expect(edit).toContain(`href="${crud(`/${key}/file/papers?${new URLSearchParams({ path: paths[0] as string })}`)}"`)
    // What a record does not hold yet has no address.
    const other = await kept('papers', pdfOf('Other.pdf'))
    const refused = await app().put(
      crud(`/${key}`),
      form([
        ['name', ''],
        ['papers', paths[0] as string],
        ['papers', other],
      ]),
      { headers: { accept: 'text/html' } },
    )
    expect([refused.status, refused.text.includes('Other.pdf'), refused.text.includes(encodeURIComponent(other))]).toEqual([
      422,
      true,
      false,
    ])
    expect(refused.text).toContain(encodeURIComponent(paths[0] as string))
    // A copy begins without them.
    expect(await page(`/admin/resource/places/form-page?copy=${key}`)).not.toContain('a.pdf')
    expect(await page(crud(`/${key}/history`))).toContain('<li>a.pdf</li><li>b.pdf</li><li>c.pdf</li>')
    const found = async (query: string) =>
      ((await app().get(crud(query), { headers: { accept: 'application/json' } })).json() as { data: object[] }).data.length
    await create({ name: 'Basel' })
    expect([await found('?filter[photos][null]=1'), await found('?filter[photos][null]=0')]).toEqual([1, 1])
    const csv = await app().get('/admin/resource/places/export')
    expect(csv.text).toContain(paths[1] as string)
  })

  test('a name is shortened until its path fits', async () => {
    const long = `${'n'.repeat(90)}.pdf`
    const path = await kept('papers', pdfOf(long))
    // A list in PostgreSQL takes 80 characters for each, a column of JSON any number.
    expect(path.length).toBe(dialect === 'PostgreSQL' ? 80 : 23 + long.length)
    expect((await create({ name: 'Bern', papers: [path] })).papers).toEqual([path])
  })

  test('what code names is its own, and what is no list of paths is shown as none', async () => {
    const made = await create({ name: 'Own', papers: [await kept('papers', pdfOf('One.pdf'))] })
    expect(made.papers).toEqual(['mine/own.pdf'])
    await opened.damage()
    expect((await read(made.id)).photos).toBe(null)
    for (const path of [crud(), crud(`/${made.id}`), `/admin/resource/places/form-page/${made.id}`])
      expect((await app().get(path, { headers: { accept: 'text/html' } })).status, path).toBe(200)
    const repaired = await app().patch(crud(`/${made.id}`), { photos: [await kept('photos', pngOf('a.png'))] })
    expect([repaired.status, names(dataOf(repaired).photos)]).toEqual([200, ['a.png']])
  })
})
