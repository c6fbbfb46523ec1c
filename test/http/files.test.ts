import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeclarationError, definePanel, defineResource, file, folder, id, image, memoryStore, type Panel, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Inside, inside } from '../../src/panel.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  photo: varchar(),
  plan: varchar(),
  secret: varchar(),
})
const inPostgresql = pg.pgTable('cities', {
  id: pg.serial().primaryKey(),
  name: pg.text().notNull(),
  photo: pg.text(),
  plan: pg.varchar({ length: 80 }),
  secret: pg.text(),
}) as unknown as typeof cities

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n')
const blob = (bytes: Uint8Array | string) => new Blob([bytes as never])
const named = (bytes: Uint8Array | string, name: string) => new File([bytes as never], name)

const filesOf = (panel: unknown) => (panel as { readonly [inside]: Inside })[inside].realm.files

function panelOver(database: string, model: typeof cities, uploads: string): Panel {
  const Cities = defineResource({
    model,
    fields: {
      id: id(),
      name: text('Name').max(20),
      photo: image('Photo').maxBytes(1000),
      plan: file('Plan').maxBytes(50).extensions('pdf', '.TXT'),
      secret: file('Secret').visible(['keeper']),
    },
    pages: { index: ['id', 'name', 'photo', 'plan'] },
    history: true,
    filters: ['photo'],
    can: { view: true, create: ['keeper', 'editor', 'admin'], update: ['keeper', 'editor', 'admin'], delete: ['keeper'] },
    scope: ({ user }) => (user.roles.includes('stranger') ? { name: 'Open' } : {}),
    canRecord: { view: ({ record }) => record.name !== 'Closed' },
    hooks: {
      beforeSave: ({ values }) => {
        if (values.name === 'Refused') throw new TypeError('refused by the hook')
        // A hook may change the values in place, or return more.
        if (values.name === 'Changed') (values as { plan?: string }).plan = 'mine/own.pdf'
        return values.name === 'Returned' ? { plan: 'mine/own.pdf' } : undefined
      },
    },
    handlers: {
      stamp: { run: async ({ ids, update }) => Promise.all(ids.map((id) => update(id, { plan: 'mine/own.pdf' }))).then(() => {}) },
      put: {
        fields: { path: text('Path') },
        run: async ({ ids, update, input }) => Promise.all(ids.map((id) => update(id, { plan: input.path as string }))).then(() => {}),
      },
      drop: { run: async ({ ids, update }) => Promise.all(ids.map((id) => update(id, { plan: null }))).then(() => {}) },
    },
  })
  const Planned = defineResource({
    model,
    uriKey: 'planned',
    fields: { id: id(), name: text('Name'), plan: file('Plan').required(), photo: image('Photo') },
    can: { view: true, create: true, update: true },
  })
  return definePanel({ auth: 'open', database, resources: [Cities, Planned], files: folder(uploads), log: () => {} } as never)
}

const stores = {
  async SQLite() {
    const place = mkdtempSync(join(tmpdir(), 'daymark-files-'))
    const client = new Sqlite(join(place, 'files.db'))
    client.exec('create table cities (id integer primary key, name text not null, photo text, plan text, secret text)')
    const panel = panelOver(`sqlite:${join(place, 'files.db')}`, cities, join(place, 'uploads'))
    const loose = async () => client.prepare('select path, user_id from daymark_files').all() as { path: string; user_id: string }[]
    const run = async (statement: string) => void client.exec(statement)
    const end = async () => {
      await panel.close()
      client.close()
      rmSync(place, { recursive: true, force: true })
    }
    return { panel, loose, run, uploads: join(place, 'uploads'), table: 'daymark_files', end }
  },
  async PostgreSQL() {
    const place = mkdtempSync(join(tmpdir(), 'daymark-files-'))
    const database = await openDatabase()
    await database.query('create table cities (id serial primary key, name text not null, photo text, plan varchar(80), secret text)')
    const panel = panelOver(database.url, inPostgresql, join(place, 'uploads'))
    const loose = async () => (await database.query('select path, user_id from daymark.files')).rows as { path: string; user_id: string }[]
    const run = async (statement: string) => void (await database.query(statement))
    const end = async () => {
      await panel.close()
      await database.drop()
      rmSync(place, { recursive: true, force: true })
    }
    return { panel, loose, run, uploads: join(place, 'uploads'), table: 'daymark.files', end }
  },
}

describe.each(Object.entries(stores))('files, over %s', (dialect, open) => {
  let opened: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened?.end())

  const crud = (more = '') => `/admin/resource/cities/crud${more}`
  const as = (role: string, user = '7') => testPanel(opened.panel).as({ id: user, name: 'Grace', roles: [role] })
  const keeper = () => as('keeper')
  const upload = async (field: string, name: string, bytes: Uint8Array | string, app = keeper()) =>
    app.post(`/admin/upload/cities/${field}?name=${encodeURIComponent(name)}`, blob(bytes))
  const kept = async (field: string, name: string, bytes: Uint8Array | string, app = keeper()) => {
    const answer = await upload(field, name, bytes, app)
    expect(answer.status, answer.text).toBe(201)
    return (answer.json() as { data: { path: string } }).data.path
  }
  const create = async (values: object, app = keeper()) => {
    const answer = await app.post(crud(), values)
    expect(answer.status, answer.text).toBe(201)
    return (answer.json() as { data: Record<string, unknown> }).data
  }
  const onDisk = () =>
    existsSync(opened.uploads)
      ? readdirSync(opened.uploads, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
      : []
  const removed = async () => {
    await filesOf(opened.panel)?.removeDue()
  }
  const form = (fields: Record<string, string | File>) => {
    const made = new FormData()
    for (const [name, value] of Object.entries(fields)) made.append(name, value)
    return made
  }

  test.each(['Changed', 'Returned'])('a hook names a file of its own: %s', async (name) => {
    const made = await create({ name })
    expect(made.plan).toBe('mine/own.pdf')
    const other = await create({ name: 'Other' })
    const answer = await keeper().put(crud(`/${other.id}`), { name })
    expect([answer.status, (answer.json() as { data: object }).data]).toMatchObject([200, { name, plan: 'mine/own.pdf' }])
    const sent = await create({ name: 'Sent' })
    const over = await keeper().put(crud(`/${sent.id}`), { name, plan: await kept('plan', 'a.pdf', pdf) })
    expect([over.status, (over.json() as { data: object }).data]).toMatchObject([200, { name, plan: 'mine/own.pdf' }])
  })

  test('an uploaded file becomes the value of a field, and is read by its record', async () => {
    const answer = await upload('photo', 'Hafen "Nord".png', png)
    expect(answer.status, answer.text).toBe(201)
    const { data } = answer.json() as { data: { path: string; name: string; size: number } }
    expect(data).toEqual({ path: expect.stringMatching(/^[\w-]{22}\/Hafen Nord\.png$/), name: 'Hafen Nord.png', size: png.length })
    expect(await opened.loose()).toEqual([{ path: data.path, user_id: '7' }])
    const city = await create({ name: 'Bern', photo: data.path })
    expect(city).toMatchObject({ name: 'Bern', photo: data.path, plan: null })
    expect(await opened.loose()).toEqual([])
    const read = await opened.panel.fetch(new Request(`http://127.0.0.1${crud(`/${city.id}/file/photo`)}`))
    expect(read.status).toBe(200)
    expect(Buffer.from(await read.arrayBuffer()).equals(png)).toBe(true)
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'content-disposition': `inline; filename="Hafen Nord.png"; filename*=UTF-8''Hafen%20Nord.png`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    })
    const again = await keeper().get(crud(`/${city.id}/file/photo`), { headers: { 'if-none-match': read.headers.get('etag') ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
    const other = await create({ name: 'Other', plan: await kept('plan', 'x.txt', 'plain') })
    const plain = await keeper().get(crud(`/${other.id}/file/plan`))
    expect([plain.text, plain.headers.get('content-type')]).toEqual(['plain', 'text/plain; charset=utf-8'])
  })

  test('what may not run in a browser is saved; HEAD tells the length of the whole', async () => {
    const { id: key } = await create({ name: 'Bern', secret: await kept('secret', 'page.html', '<script>1</script>') })
    const read = await keeper().get(crud(`/${key}/file/secret`))
    expect(read.text).toBe('<script>1</script>')
    expect(read.headers.get('content-type')).toBe('application/octet-stream')
    expect(read.headers.get('content-disposition')).toMatch(/^attachment;/)
    const { id: open } = await create({ name: 'Basel', plan: await kept('plan', 'x.txt', 'plain') })
    const head = await opened.panel.fetch(
      new Request(`http://127.0.0.1${crud(`/${open}/file/plan`)}`, { method: 'HEAD', headers: { range: 'bytes=0-1' } }),
    )
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', ''])
  })

  test('a part of a file is sent to who asks for it, under the same rules', async () => {
    const { id: key } = await create({ name: 'Bern', plan: await kept('plan', 'x.txt', 'abcdefghij') })
    const part = (range: string, headers: Record<string, string> = {}) =>
      keeper().get(crud(`/${key}/file/plan`), { headers: { range, ...headers } })
    const answer = await part('bytes=2-4')
    expect([answer.status, answer.text]).toEqual([206, 'cde'])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-range': 'bytes 2-4/10',
      'content-length': '3',
      'content-type': 'text/plain; charset=utf-8',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    })
    const etag = answer.headers.get('etag') as string
    expect((await part('bytes=2-4', { 'if-none-match': etag })).status).toBe(304)
    expect((await part('bytes=2-4', { 'if-range': '"other"' })).text).toBe('abcdefghij')
    const beyond = await part('bytes=10-')
    expect([beyond.status, beyond.headers.get('content-range'), beyond.headers.get('etag')]).toEqual([416, 'bytes */10', null])
    expect(beyond.json()).toMatchObject({ type: 'urn:daymark:error:outOfRange', status: 416, detail: 'The file has 10 bytes' })
    expect((await part('bytes=10-', { 'if-none-match': etag })).status).toBe(304)
    // Of other answers, nothing is cut off.
    expect((await keeper().get(crud(`/${key}`), { headers: { range: 'bytes=0-1' } })).status).toBe(200)
    expect((await as('reader').get(crud(`/${key}/file/secret`), { headers: { range: 'bytes=0-1' } })).status).toBe(404)
  })

  test('what a browser plays is played, and not in a sandbox, where its player could not load it', async () => {
    const { id: key } = await create({ name: 'Bern', secret: await kept('secret', 'Sound.MP3', 'x') })
    const { headers } = await keeper().get(crud(`/${key}/file/secret`))
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-disposition': expect.stringMatching(/^inline;/),
      'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    })
    const page = await keeper().get(crud(`/${key}`), { headers: { accept: 'text/html' } })
    expect(page.text).toContain(
      `<audio class="player" controls preload="metadata" src="${crud(`/${key}/file/secret`)}" aria-label="Sound.mp3">`,
    )
    expect((await keeper().get(crud(), { headers: { accept: 'text/html' } })).text).not.toContain('<audio')
  })

  test('only who uploaded a file may name it, once, for its field', async () => {
    const path = await kept('plan', 'a.pdf', pdf)
    for (const [values, app] of [
      [{ name: 'Bern', plan: path }, as('editor', '8')],
      [{ name: 'Bern', photo: path }, keeper()],
      [{ name: 'Bern', plan: '../../etc/passwd' }, keeper()],
      [{ name: 'Bern', plan: 'none/at-all.pdf' }, keeper()],
    ] as const) {
      const answer = await app.post(crud(), values)
      expect([answer.status, Object.keys((answer.json() as { errors: object }).errors)], JSON.stringify(values)).toEqual([
        422,
        [Object.keys(values)[1]],
      ])
    }
    const city = await create({ name: 'Bern', plan: path })
    expect((await keeper().post(crud(), { name: 'Basel', plan: path })).status).toBe(422)
    // What was read may be sent back.
    expect((await keeper().put(crud(`/${city.id}`), { name: 'Berne', plan: path })).status).toBe(200)
    expect((await keeper().get(crud(`/${city.id}/file/plan`))).text).toBe(String(pdf))
    await opened.run(`update ${opened.table} set due_at = ${dialect === 'SQLite' ? '0' : "'2020-01-01'"}`)
  })

  test('a file that is replaced, cleared or deleted is removed once the write has ended, and not before', async () => {
    const city = await create({ name: 'Bern', plan: await kept('plan', 'first.pdf', pdf), photo: await kept('photo', 'a.png', png) })
    const refused = await keeper().put(crud(`/${city.id}`), { name: 'Refused', plan: await kept('plan', 'second.pdf', pdf) })
    expect(refused.status).toBe(500)
    await removed()
    expect(onDisk().sort()).toEqual(['a.png', 'first.pdf', 'second.pdf'])
    expect((await keeper().put(crud(`/${city.id}`), { plan: await kept('plan', 'third.pdf', pdf) })).status).toBe(200)
    expect(onDisk()).toContain('first.pdf')
    await removed()
    expect(onDisk().sort()).toEqual(['a.png', 'second.pdf', 'third.pdf'])
    expect((await keeper().patch(crud(`/${city.id}`), { plan: null })).status).toBe(200)
    await removed()
    expect(onDisk().sort()).toEqual(['a.png', 'second.pdf'])
    expect((await keeper().delete(crud(`/${city.id}`))).status).toBe(200)
    await removed()
    expect(onDisk()).toEqual(['second.pdf'])
    const [one, two] = [await create({ name: 'A', plan: await kept('plan', 'x.pdf', pdf) }), await create({ name: 'B' })]
    expect((await keeper().delete(`${crud()}?ids[]=${one.id}&ids[]=${two.id}`)).status).toBe(200)
    await removed()
    expect(onDisk()).toEqual(['second.pdf'])
  })

  test('a record that a trigger only hides keeps its files', async () => {
    await opened.run(
      dialect === 'SQLite'
        ? `create trigger soft before delete on cities when old.name = 'Soft' begin
            update cities set name = 'Hidden' where id = old.id; select raise(ignore); end`
        : `create function soft() returns trigger language plpgsql as $$ begin
            if old.name <> 'Soft' then return old; end if; update cities set name = 'Hidden' where id = old.id; return null; end $$;
          create trigger soft before delete on cities for each row execute function soft()`,
    )
    const city = async (name: string, plan: string) => (await create({ name, plan: await kept('plan', plan, pdf) })).id
    expect((await keeper().delete(crud(`/${await city('Soft', 'a.pdf')}`))).status).toBe(200)
    const ids = [await city('Soft', 'b.pdf'), await city('Bern', 'c.pdf')]
    expect((await keeper().delete(`${crud()}?${ids.map((one) => `ids[]=${one}`).join('&')}`)).status).toBe(200)
    await removed()
    expect(onDisk().sort()).toEqual(['a.pdf', 'b.pdf'])
  })

  test('what nobody saved is removed after a day, and cannot be saved any more', async () => {
    const path = await kept('plan', 'a.pdf', pdf)
    await removed()
    expect(onDisk()).toEqual(['a.pdf'])
    await opened.run(`update ${opened.table} set due_at = ${dialect === 'SQLite' ? '0' : "'2020-01-01'"}`)
    expect((await keeper().post(crud(), { name: 'Bern', plan: path })).status).toBe(422)
    await removed()
    expect([onDisk(), await opened.loose(), readdirSync(opened.uploads)]).toEqual([[], [], []])
  })

  test('what code names is its own: it need not have been uploaded', async () => {
    const city = await create({ name: 'Bern', plan: await kept('plan', 'a.pdf', pdf) })
    const run = (name: string) => keeper().post(`/admin/resource/cities/handler/${name}?ids[]=${city.id}`, {})
    expect((await run('stamp')).status).toBe(200)
    expect((await keeper().get(crud(`/${city.id}`))).text).toContain('"plan":"mine/own.pdf"')
    expect((await keeper().get(crud(`/${city.id}/file/plan`))).status).toBe(404)
    await removed()
    expect(onDisk()).toEqual([])
    mkdirSync(join(opened.uploads, 'mine'), { recursive: true })
    writeFileSync(join(opened.uploads, 'mine', 'own.pdf'), pdf)
    expect((await keeper().get(crud(`/${city.id}/file/plan`))).text).toBe(String(pdf))
    expect((await run('drop')).status).toBe(200)
    await removed()
    expect(onDisk()).toEqual([])
  })

  test('what code names stays, whoever uploaded it, and what for, or gave it up', async () => {
    const city = await create({ name: 'Bern', plan: await kept('plan', 'old.pdf', pdf) })
    const old = ((await keeper().get(crud(`/${city.id}`))).json() as { data: { plan: string } }).data.plan
    const put = async (path: string) =>
      expect((await keeper().post(`/admin/resource/cities/handler/put?ids[]=${city.id}`, { path })).status).toBe(200)
    for (const path of [await kept('plan', 'other.pdf', pdf, as('editor', '8')), await kept('secret', 'own.pdf', pdf)]) {
      await put(path)
      expect((await opened.loose()).map((one) => one.path)).not.toContain(path)
    }
    // Before it is removed.
    await put(old)
    await opened.run(`update ${opened.table} set due_at = ${dialect === 'SQLite' ? '0' : "'2020-01-01'"}`)
    await removed()
    expect(onDisk()).toEqual(['old.pdf'])
    expect((await keeper().get(crud(`/${city.id}/file/plan`))).text).toBe(String(pdf))
  })

  test('all that is due is removed at once', async () => {
    const path = await kept('plan', 'a.pdf', pdf)
    await opened.run(
      `insert into ${opened.table} (path, user_id, of_table, field, due_at) with recursive n (i) as (select 1 union all select i + 1 from n where i < 250) select 'none/' || i, '', 'x', 'x', ${dialect === 'SQLite' ? '0' : "timestamptz '2020-01-01'"} from n`,
    )
    await removed()
    expect(await opened.loose()).toEqual([{ path, user_id: '7' }])
  })

  test('a path that leads out of the folder names no file', async () => {
    writeFileSync(join(opened.uploads, '..', 'outside.txt'), 'outside')
    const paths = ['../outside.txt', '/etc/passwd', 'a/../../outside.txt', '..\\outside.txt', 'a//b', '.hidden/x', 'C:/x', '']
    for (const path of paths) {
      await opened.run(`insert into cities (name, plan) values ('X', '${path}')`)
    }
    const { data } = (await keeper().get(crud())).json() as { data: { id: number; plan: string }[] }
    expect(data).toHaveLength(paths.length)
    for (const { id: key, plan } of data) expect((await keeper().get(crud(`/${key}/file/plan`))).status, plan).toBe(404)
    expect((await keeper().delete(`${crud()}?${data.map(({ id: key }) => `ids[]=${key}`).join('&')}`)).status).toBe(200)
    await removed()
    expect(existsSync(join(opened.uploads, '..', 'outside.txt'))).toBe(true)
  })

  test('the rules of the field hold on each way in', async () => {
    for (const [field, name, bytes, status] of [
      ['photo', 'a.png', 'not a picture', 422],
      ['photo', 'a.jpg', png, 422],
      ['photo', 'a.svg', '<svg/>', 422],
      ['photo', 'png', png, 422],
      ['photo', 'a.png', '', 422],
      ['photo', 'a.png', Buffer.concat([png, Buffer.alloc(1000)]), 413],
      ['plan', 'a.docx', 'x', 422],
      ['plan', 'A.TXT', 'x'.repeat(50), 201],
      ['plan', 'a.pdf', 'x'.repeat(51), 413],
      ['name', 'a.pdf', 'x', 404],
      ['none', 'a.pdf', 'x', 404],
    ] as const) {
      const answer = await upload(field, name, bytes)
      expect(answer.status, `${field} ${name} ${answer.text}`).toBe(status)
      if (status === 422 || status === 413) expect((answer.json() as { errors: object }).errors).toHaveProperty(field)
      if (status === 404 || status === 201) continue
      const asForm = await keeper().post(crud(), form({ name: 'Bern', [field]: named(bytes, name) }))
      expect([asForm.status, Object.keys((asForm.json() as { errors: object }).errors)], name).toEqual([422, [field]])
    }
    expect((await upload('photo', 'a.jpg', png)).text).toContain('Photo: the content of the file does not fit its name')
    expect((await upload('photo', 'a.svg', png)).text).toContain('Photo must be one of these: png, jpg')
    expect(onDisk()).toEqual(['A.txt'])
    expect(await opened.loose()).toHaveLength(1)
    expect((await keeper().post('/admin/upload/cities/plan', blob('x'))).status).toBe(422)
    expect((await keeper().post('/admin/upload/cities/plan?name=a.pdf', form({ a: 'b' }))).status).toBe(415)
    const gzip = await keeper().post('/admin/upload/cities/plan?name=a.pdf', blob('x'), { headers: { 'content-encoding': 'gzip' } })
    expect([gzip.status, gzip.headers.get('accept-encoding')]).toEqual([415, 'identity'])
    expect((await keeper().post(crud(), form({ name: named('x', 'x.txt') }))).status).toBe(422)
    expect((await keeper().post(crud(), form({ name: 'Bern', plan: named('x', '') }))).status).toBe(422)
  })

  test('a required file has to be sent', async () => {
    const at = (more = '') => `/admin/resource/planned/crud${more}`
    const none = named('', '')
    for (const sent of [
      { name: 'Bern' },
      { name: 'Bern', plan: '' },
      { name: 'Bern', plan: null },
      form({ name: 'Bern' }),
      form({ name: 'Bern', plan: '' }),
      form({ name: 'Bern', plan: none }),
    ]) {
      const { status, text } = await keeper().post(at(), sent)
      expect([status, text]).toEqual([422, expect.stringContaining('"plan":["Plan is required"]')])
    }
    expect((await keeper().html.post(at(), form({ name: 'Bern', plan: '' }))).text).toContain('Plan is required')
    const made = await keeper().post(at(), form({ name: 'Bern', plan: named(pdf, 'a.pdf'), photo: none }))
    expect(made.status, made.text).toBe(201)
    const { id: key } = (made.json() as { data: { id: number } }).data
    for (const sent of [{ plan: '' }, { plan: null }, { photo: '' }, form({ plan: '' }), form({ plan: '', _clear: 'plan' })])
      expect((await keeper().put(at(`/${key}`), sent)).status).toBe(422)
    await removed()
    expect(onDisk()).toEqual(['a.pdf'])
  })

  test('names are made harmless, and fit their column', async () => {
    for (const [given, stored] of [
      ['../../etc/pass wd.txt', 'pass wd.txt'],
      ['C:\\Users\\me\\Plan.pdf', 'Plan.pdf'],
      ['.htaccess.txt', 'htaccess.txt'],
      ['x\n/../../other/Plan.pdf', 'Plan.pdf'],
      ['x\u2028/../a.pdf', 'a.pdf'],
      ['a\u202etxt.pdf', 'atxt.pdf'],
      ['x<>:"|?*%.pdf', 'x.pdf'],
    ] as const) {
      const answer = await upload('plan', given, 'x')
      expect((answer.json() as { data?: { name: string } }).data?.name, given).toBe(stored)
    }
    const path = await kept('plan', `${'ä'.repeat(200)}.pdf`, 'x')
    expect(path.length).toBeLessThanOrEqual(80)
    expect(path).toMatch(/ä\.pdf$/)
    expect(Buffer.byteLength(path)).toBeLessThan(200)
    await create({ name: 'Bern', plan: path })
  })

  test('a file is seen by whoever may see its field and record, and sent by whoever may write them', async () => {
    const city = await create({ name: 'Bern', secret: await kept('secret', 'a.txt', 'x'), plan: await kept('plan', 'a.txt', 'x') })
    const closed = await create({ name: 'Closed', plan: await kept('plan', 'a.txt', 'x') })
    expect((await keeper().get(crud(`/${city.id}/file/secret`))).status).toBe(200)
    for (const app of [as('editor'), as('editor').html]) expect((await app.get(crud(`/${city.id}/file/secret`))).status).toBe(404)
    expect((await as('stranger').get(crud(`/${city.id}/file/plan`))).status).toBe(404)
    expect((await keeper().get(crud(`/${closed.id}/file/plan`))).status).toBe(403)
    expect((await keeper().get(crud('/999/file/plan'))).status).toBe(404)
    expect((await keeper().get(crud(`/${city.id}/file/name`))).status).toBe(404)
    expect((await keeper().get(crud(`/${city.id}/file/photo`))).status).toBe(404)
    expect(
      (
        await testPanel(opened.panel)
          .as(null)
          .get(crud(`/${city.id}/file/plan`))
      ).status,
    ).toBe(401)
    expect((await upload('plan', 'a.txt', 'x', as('reader'))).status).toBe(403)
    expect((await upload('secret', 'a.txt', 'x', as('editor'))).status).toBe(404)
    expect((await as('editor').post(crud(), form({ name: 'Bern', secret: named('x', 'a.txt') }))).status).toBe(422)
    expect((await as('reader').post(crud(), form({ name: 'Bern', plan: named('x', 'a.txt') }))).status).toBe(403)
    expect(onDisk()).toHaveLength(3)
  })

  test('a form sends its files itself, and keeps them when it is shown again', async () => {
    const page = (await keeper().html.get('/admin/resource/cities/form-page')).text
    expect(page).toContain('enctype="multipart/form-data"')
    const first = await keeper().html.post(crud(), form({ name: 'x'.repeat(21), plan: named(pdf, 'Plan.pdf'), photo: named('', '') }))
    expect(first.status, first.text).toBe(422)
    const { fields } = first.is('form')
    const path = fields.find(({ field }) => field.key === 'plan')?.text ?? ''
    expect(path).toMatch(/\/Plan\.pdf$/)
    expect(first.text).toContain(`name="plan" value="${path}"`)
    expect((await keeper().html.post(crud(), form({ name: 'Bern', plan: path, photo: '' }))).status).toBe(303)
    const { data } = (await keeper().get(crud())).json() as { data: { id: number; plan: string }[] }
    expect(data).toMatchObject([{ plan: path, photo: null }])
    const key = data[0]?.id
    // An untouched form changes nothing; a wrong file keeps the old one.
    const untouched = await keeper().html.post(crud(`/${key}`), form({ _method: 'PUT', name: 'Bern', plan: path, photo: '' }))
    expect(untouched.status).toBe(303)
    const wrong = await keeper().html.post(crud(`/${key}`), form({ _method: 'PUT', plan: named('x', 'x.exe') }))
    expect([wrong.status, wrong.text.includes('Plan must be one of these: pdf, txt')]).toEqual([422, true])
    expect((await keeper().html.post(crud(`/${key}`), form({ _method: 'PUT', plan: path, _clear: 'plan' }))).status).toBe(303)
    expect((await keeper().get(crud(`/${key}`))).text).toContain('"plan":null')
    await removed()
    expect(onDisk()).toEqual([])
    const twice = new FormData()
    for (const name of ['a.pdf', 'b.pdf']) twice.append('plan', named(pdf, name))
    const two = await keeper().put(crud(`/${key}`), twice)
    expect([two.status, two.text]).toEqual([422, expect.stringContaining('"plan":[')])
    // Of an old and a new one, the new one counts, whatever is ticked.
    const both = new FormData()
    for (const [name, value] of [
      ['_method', 'PUT'],
      ['plan', ''],
      ['_clear', 'plan'],
    ] as const)
      both.append(name, value)
    both.append('plan', named(pdf, 'b.pdf'))
    expect((await keeper().html.post(crud(`/${key}`), both)).status).toBe(303)
    expect((await keeper().get(crud(`/${key}/file/plan`))).text).toBe(String(pdf))
  })

  test('a form that is sent twice makes one record', async () => {
    const sent = () => form({ _once: 'once-1', name: 'Bern', plan: named(pdf, 'b.pdf') })
    const answers = await Promise.all([keeper().html.post(crud(), sent()), keeper().html.post(crud(), sent())])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect(((await keeper().get(crud())).json() as { data: unknown[] }).data).toHaveLength(1)
  })

  test('of two records that name a file at once, one takes it', async () => {
    const path = await kept('plan', 'a.pdf', pdf)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => keeper().post(crud(), { name: `City ${n}`, plan: path })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
  })

  test('pages show names and pictures, and link to the files', async () => {
    const city = await create({ name: 'Bern', photo: await kept('photo', 'Bern.png', png), plan: await kept('plan', 'Plan <1>.txt', 'x') })
    const at = crud(`/${city.id}/file`)
    const list = (await keeper().html.get(crud())).text
    expect(list).toContain(`<img class="thumb" src="${at}/photo" alt="Bern.png" loading="lazy">`)
    expect(list).toContain(`<a class="file" href="${at}/plan">Plan 1.txt</a>`)
    const detail = (await keeper().html.get(crud(`/${city.id}`))).text
    expect(detail).toContain(`<a class="picture" href="${at}/photo"><img class="preview" src="${at}/photo"`)
    const edit = (await keeper().html.get(`/admin/resource/cities/form-page/${city.id}`)).text
    expect(edit).toContain(`src="${at}/photo"`)
    expect(edit).toContain('At most 1 kB: png, jpg, jpeg, gif, webp, avif')
    const history = (await keeper().html.get(crud(`/${city.id}/history`))).text
    expect(history).toContain('Plan 1.txt')
    expect(history).not.toContain(`${at}/plan`)
  })
})

describe('over a connection', () => {
  let opened: Awaited<ReturnType<typeof stores.SQLite>>
  let listening: Awaited<ReturnType<Panel['listen']>>
  beforeEach(async () => {
    opened = await stores.SQLite()
    listening = await opened.panel.listen({ port: 0 })
  })
  afterEach(async () => {
    await listening.close()
    await opened.end()
  })

  test('a file that is too large is refused before it has come, and the connection goes on', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    /** In pieces, its length is not stated. */
    const post = (name: string, ...pieces: readonly Buffer[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'content-type': 'application/octet-stream' }
        const path = `/admin/upload/cities/${name}`
        const sent = request(`${listening.url}${path}`, { method: 'POST', agent, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        })
        sent.on('error', reject)
        for (const piece of pieces.slice(1)) sent.write(piece)
        sent.end(pieces[0])
      })
    expect(await post('photo?name=a.png', Buffer.alloc(3_000_000, png))).toBe(413)
    const mega = Buffer.alloc(1_000_000)
    expect(await post('photo?name=a.png', mega, png, mega, mega)).toBe(413)
    expect(await post('photo?name=a.png', mega, mega, mega)).toBe(422)
    expect(await post('plan?name=a.txt', Buffer.from('x'))).toBe(201)
    expect((await opened.loose()).map(({ path }) => path.slice(23))).toEqual(['a.txt'])
    agent.destroy()
  })

  test('a body that somebody else has read is no empty file', async () => {
    const server = createServer(async (incoming, outgoing) => {
      for await (const _ of incoming);
      opened.panel.listener(incoming, outgoing)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin/upload/cities/plan?name=a.txt`
    const sent = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'x' })
    const web = new Request('http://127.0.0.1/admin/upload/cities/plan?name=a.txt', { method: 'POST', body: blob('x') })
    await web.text()
    expect([sent.status, (await opened.panel.fetch(web)).status, await opened.loose()]).toEqual([400, 400, []])
    await new Promise((resolve) => server.close(resolve))
  })

  test.each(['with its length', 'in chunks'])('a body of which somebody else has read a part is no shorter file: sent %s', async (how) => {
    const server = createServer(async (incoming, outgoing) => {
      // The first piece alone; the rest waits.
      await new Promise<void>((resolve) => incoming.once('data', () => resolve(void incoming.pause())))
      opened.panel.listener(incoming, outgoing)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const sent = (path: string, type: string, first: string, second: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = {
          'content-type': type,
          accept: 'application/json',
          ...(how === 'in chunks' ? {} : { 'content-length': first.length + second.length }),
        }
        const asking = request({ port, path, method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode ?? 0)).on(
          'error',
          reject,
        )
        asking.write(first)
        setTimeout(() => asking.end(second), 50)
      })
    expect(await sent('/admin/upload/cities/plan?name=a.txt', 'application/octet-stream', 'one ', 'two')).toBe(400)
    expect(await sent('/admin/resource/cities/crud', 'application/x-www-form-urlencoded', 'name=Lost&', 'name=Found')).toBe(400)
    const list = await testPanel(opened.panel).get('/admin/resource/cities/crud')
    expect([await opened.loose(), list.json()]).toMatchObject([[], { data: [] }])
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test('of a file whose sender goes away nothing is left', async () => {
    const head = 'Host: 127.0.0.1\r\nContent-Type: application/octet-stream\r\nContent-Length: 40'
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1')
    socket.write(`POST /admin/upload/cities/plan?name=cut.txt HTTP/1.1\r\n${head}\r\n\r\nhalf of it`)
    await expect.poll(() => existsSync(opened.uploads) && readdirSync(opened.uploads).length, { timeout: 5000 }).toBe(1)
    expect(await opened.loose()).toHaveLength(1)
    socket.destroy()
    await expect.poll(() => readdirSync(opened.uploads), { timeout: 5000 }).toEqual([])
    await expect.poll(() => opened.loose(), { timeout: 5000 }).toEqual([])
  })
})

test('a storage that does not answer holds up the end of a panel for a second, and what is left is removed by the next', async () => {
  const place = mkdtempSync(join(tmpdir(), 'daymark-files-'))
  const database = `sqlite:${join(place, 'files.db')}`
  const client = new Sqlite(join(place, 'files.db'))
  client.exec('create table cities (id integer primary key, name text not null, photo text, plan text, secret text)')
  const asked: string[] = []
  const panelWith = (remove: (path: string) => Promise<void>) => {
    const Cities = defineResource({ model: cities, fields: { id: id(), plan: file() } })
    const files = { put: async () => {}, get: async () => null, remove }
    return definePanel({ auth: 'open', database, resources: [Cities], files, log: () => {} })
  }
  const hangs = panelWith((path) => {
    asked.push(path)
    return new Promise(() => {})
  })
  await filesOf(hangs)?.open()
  const insert = client.prepare("insert into daymark_files (path, user_id, of_table, field, due_at) values (?, '', 'x', 'x', 0)")
  for (const path of ['a/one', 'b/two']) insert.run(path)
  void filesOf(hangs)?.removeDue()
  await vi.waitFor(() => expect(asked).toEqual(['a/one']), 10_000)
  await hangs.close()
  expect(asked).toEqual(['a/one'])
  const next = panelWith(async (path) => void asked.push(path))
  await filesOf(next)?.removeDue()
  expect(asked).toEqual(['a/one', 'a/one', 'b/two'])
  expect(client.prepare('select * from daymark_files').all()).toEqual([])
  await next.close()
  client.close()
  rmSync(place, { recursive: true, force: true })
})

describe('what is declared wrong is said at start-up', () => {
  const short = sqliteTable('short', { id: integer().primaryKey(), plan: varchar({ length: 20 }), usual: varchar().notNull().default('x') })
  const several = sqliteTable('several', { id: integer().primaryKey(), plans: varchar({ mode: 'json' }).notNull().default([]) })
  const declared = (fields: object, more: object = {}, model: typeof cities | typeof short | typeof several = cities) =>
    defineResource({ model, fields: { id: id(), ...fields }, ...more } as never)
  const problems = (resource: object, more: object = {}) => {
    try {
      definePanel({ auth: 'open', database: 'sqlite::memory:', files: folder('none'), resources: [resource], ...more } as never)
      return []
    } catch (thrown) {
      if (!(thrown instanceof DeclarationError)) throw thrown
      return thrown.problems.map(({ id, where, text }) => `${id} ${where}: ${text}`)
    }
  }

  test.each([
    [() => problems(declared({ plan: file() }), { files: undefined }), 'files cities.fields.plan: say where files are kept'],
    [() => problems(declared({ plan: file() }), { files: { put() {} } }), 'files files: is no storage: it has no get, remove'],
    [() => problems(declared({ plan: file() }, { database: 'sqlite:other.db' })), 'files-database cities.fields.plan: '],
    [() => problems(declared({ plan: file() }, { model: memoryStore(cities) })), 'files-database cities.fields.plan: '],
    [() => problems(declared({ plan: file() }, {}, short)), 'field-methods short.fields.plan: its column takes 20 characters'],
    [() => problems(declared({ usual: file() }, {}, short)), 'field-methods short.fields.usual: a file cannot be the default'],
    [() => problems(declared({ plan: file().default('x') })), 'field-methods cities.fields.plan: a file cannot be the default'],
    [() => problems(declared({ plan: file().multiple() })), 'field-methods cities.fields.plan: .multiple() needs a json column or a list'],
    [() => problems(declared({ plan: file().maxFiles(2) })), 'field-methods cities.fields.plan: .maxFiles() is for several files'],
    [() => problems(declared({ plans: file() }, {}, several)), 'field-methods several.fields.plans: one file needs a text column'],
    [() => problems(declared({ plans: file().multiple().default(['x']) }, {}, several)), 'a file cannot be the default of many records'],
    [() => problems(declared({ plans: file().multiple().maxFiles(0) }, {}, several)), '.maxFiles() takes a whole number of at least 1'],
    [() => problems(declared({ plans: file().multiple().sortable() }, {}, several)), 'a list of files has no order to sort by'],
    [() => problems(declared({ plan: file().maxBytes(0) })), 'field-methods cities.fields.plan: 0 is not a number of bytes'],
    [() => problems(declared({ plan: file().extensions('p df') })), 'field-methods cities.fields.plan: "p df" is not the extension'],
    [() => problems(declared({ plan: image().extensions('svg') })), 'field-methods cities.fields.plan: no browser shows a "svg" in safety'],
    [
      () => problems(declared({}, { handlers: { go: { fields: { paper: file() }, run: async () => {} } } })),
      'handler-file cities.handlers.go.fields.paper: an action has no record',
    ],
  ])('%s', (found, text) => {
    expect(found()).toEqual([expect.stringContaining(text)])
  })

  test('and what is declared right is not', () => {
    expect(problems(declared({ plan: file().extensions('.PDF', 'tar').maxBytes(1), photo: image().extensions('png').required() }))).toEqual(
      [],
    )
    expect(problems(declared({ plan: text() }), { files: undefined })).toEqual([])
    expect(problems(declared({ plans: file().multiple().maxFiles(1) }, {}, several))).toEqual([])
  })
})
