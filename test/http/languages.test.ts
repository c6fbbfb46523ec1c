import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  authenticate,
  DeclarationError,
  definePage,
  definePanel,
  definePanelIn,
  defineResource,
  id,
  memoryStore,
  number,
  type Panel,
  type PanelSpec,
  password,
  text,
  trashResource,
  usersResource,
} from 'daymark'
import { authenticateApi, jwtAuth } from 'daymark/jwt'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const inSqlite = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  population: integer(),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})
const inPostgresql = pg.pgTable('cities', {
  id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
  name: pg.text().notNull(),
  population: pg.integer(),
  deletedAt: pg.timestamp('deleted_at', { precision: 3 }),
}) as unknown as typeof inSqlite

const secret = 'correct horse battery'
const locales = ['en', 'de', 'fr'] as const
const say = (locale: (typeof locales)[number], en: string, de: string, fr: string) => ({ en, de, fr })[locale]

function panelOver(database: string, model: typeof inSqlite, more: Omit<Partial<PanelSpec>, 'locale'> = {}): Panel {
  return definePanelIn(locales, (locale) => {
    const Cities = defineResource({
      model,
      title: say(locale, 'Cities', 'Städte', 'Villes'),
      fields: {
        id: id(),
        name: text(say(locale, 'Name', 'Name', 'Nom')).required(),
        population: number('Population').sortable().updateOnPreview(),
      },
      softDelete: 'deletedAt',
      handlers: {
        count: {
          label: say(locale, 'Count', 'Zählen', 'Compter'),
          long: true,
          run: async ({ total }) => `${say(locale, 'Counted', 'Gezählt', 'Compté')}: ${total}`,
        },
      },
    })
    return {
      title: say(locale, 'Back office', 'Verwaltung', 'Gestion'),
      database,
      resources: [Cities, trashResource(Cities, { locale }), usersResource({ locale, roles: ['admin'] })],
      ...more,
    }
  })
}

/** A browser: it keeps cookies. */
function browserOf(panel: Panel, language = '') {
  const cookies = new Map<string, string>()
  return async (path: string, { method = 'GET', accept = 'text/html', json, form, headers = {} }: Asking = {}) => {
    const body = json ? JSON.stringify(json) : form ? new URLSearchParams(form) : null
    const response = await panel.fetch(
      new Request(`http://localhost${path}`, {
        method,
        ...(body !== null && { body }),
        headers: {
          accept,
          ...(language !== '' && { 'accept-language': language }),
          ...(json && { 'content-type': 'application/json' }),
          ...(cookies.size > 0 && { cookie: [...cookies].map((one) => one.join('=')).join('; ') }),
          ...headers,
        },
      }),
      { address: '127.0.0.1' },
    )
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      value === '' ? cookies.delete(name) : cookies.set(name, value)
    }
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: accept === 'application/json' && text ? JSON.parse(text) : null,
    }
  }
}
interface Asking {
  readonly method?: string
  readonly accept?: string
  readonly json?: object
  readonly form?: Record<string, string>
  readonly headers?: Record<string, string>
}
type Ask = ReturnType<typeof browserOf>

const accept = 'application/json'
const signIn = (ask: Ask, word = secret) =>
  ask('/admin/authenticate', {
    method: 'POST',
    accept,
    json: { username: 'ann', password: word },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
const list = '/admin/resource/cities/crud'

describe.each(['sqlite', 'postgresql'] as const)('over %s', (kind) => {
  let panel: Panel
  let end: () => Promise<void>
  let open: (more?: Omit<Partial<PanelSpec>, 'locale'>) => Promise<Panel>
  let model: typeof inSqlite

  beforeEach(async () => {
    const rows = "insert into cities (id, name, population) values (1, 'Berlin', 3500000), (2, 'Paris', 2100000), (3, 'Rome', 2800000)"
    const schema = (key: string, time: string) =>
      `create table cities (id ${key}, name text not null, population integer, deleted_at ${time})`
    let database: string
    if (kind === 'sqlite') {
      const folder = mkdtempSync(join(tmpdir(), 'daymark-languages-'))
      const file = new Sqlite(join(folder, 'app.db'))
      file.exec(schema('integer primary key', 'integer'))
      file.exec(rows)
      file.close()
      database = `sqlite:${join(folder, 'app.db')}`
      end = async () => rmSync(folder, { recursive: true, force: true })
    } else {
      const own = await openDatabase()
      await own.query(schema('integer generated by default as identity (start with 9) primary key', 'timestamp(3)'))
      await own.query(rows)
      database = own.url
      end = own.drop
    }
    model = kind === 'sqlite' ? inSqlite : inPostgresql
    open = async (more) => {
      const one = panelOver(database, model, more)
      await one.ensureUser({ username: 'ann', name: 'Ann', password: secret, roles: ['admin'] })
      return one
    }
    panel = await open()
  })
  afterEach(async () => {
    await panel.close()
    await end()
  })

  test('who has chosen none gets the language that the browser asks for, else the first', async () => {
    for (const [language, locale, title] of [
      ['', 'en', 'Back office'],
      ['ja', 'en', 'Back office'],
      ['de-CH, en;q=0.9', 'de', 'Verwaltung'],
      ['ja, fr;q=0.5', 'fr', 'Gestion'],
    ] as const) {
      const page = await browserOf(panel, language)('/admin/login')
      expect([page.status, page.headers.get('content-language'), page.headers.get('vary')]).toEqual([
        200,
        locale,
        'Accept, Accept-Language, Cookie',
      ])
      expect(page.text).toContain(`<html lang="${locale}"`)
      expect(page.text).toMatch(new RegExp(` ${title}</title>`))
    }
  })

  test('programs get the texts of problems in the language that they ask for', async () => {
    const ask = browserOf(panel, 'fr')
    const refused = await ask(list, { accept })
    expect([refused.status, refused.headers.get('content-language'), refused.json.detail]).toEqual([401, 'fr', 'Connectez-vous d’abord'])
    await signIn(ask)
    const wrong = await ask(list, { method: 'POST', accept, json: { name: '' }, headers: { 'sec-fetch-site': 'same-origin' } })
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ['name']])
    expect(wrong.json.errors.name[0]).toMatch(/Nom/)
    const german = await ask(list, {
      method: 'POST',
      accept,
      json: {},
      headers: { 'sec-fetch-site': 'same-origin', 'accept-language': 'de' },
    })
    expect(german.json.errors.name[0]).not.toBe(wrong.json.errors.name[0])
  })

  test('a link chooses another one, leads back to where one was, and is kept by the browser', async () => {
    const ask = browserOf(panel, 'de')
    await signIn(ask)
    const page = await ask(`${list}?sort=-population&page=1`)
    expect(page.text).toContain('Städte')
    const guest = await browserOf(panel, 'de')('/admin/login')
    expect(guest.text).toContain('<a href="?_language=de" lang="de" hreflang="de" aria-current="true">Deutsch')
    expect(guest.text).toContain('<a href="?_language=fr" lang="fr" hreflang="fr">Français</a>')
    const from = { referer: `http://localhost${list}?sort=-population&page=1` }
    const chosen = await ask(`${list}?_language=fr`, { headers: from })
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, `${list}?sort=-population&page=1`])
    expect(chosen.headers.getSetCookie().join()).toMatch(
      /daymark-admin-language=fr; Path=\/admin; Max-Age=31536000; HttpOnly; SameSite=Lax/,
    )
    const after = await ask(`${list}?sort=-population&page=1`)
    expect([after.headers.get('content-language'), after.text.includes('Villes'), after.text.includes('Städte')]).toEqual([
      'fr',
      true,
      false,
    ])
    // Nor is what there is not, which could be the name of another host.
    for (const path of ['/admin/nothing', '//example.com', '//example.com/admin', '/\\example.com', '/admin//example.com'])
      expect((await ask(`${path}?_language=fr`)).headers.get('location')).toBe('/admin')
    // Where only forms are sent to is no page to come back to.
    expect((await ask('/admin/authenticate?_language=fr')).headers.get('location')).toBe('/admin')
    // So does a link of one's own, with the rest of its query; from elsewhere nothing comes along.
    expect((await ask(`${list}?sort=name&_language=en`)).headers.get('location')).toBe(`${list}?sort=name`)
    const elsewhere = { referer: 'https://example.com/admin/resource/cities/crud?sort=id' }
    expect((await ask(`${list}?_language=en`, { headers: elsewhere })).headers.get('location')).toBe(list)
  })

  test('what a user chooses in the menu is that of the user, in every browser from the sign-in on', async () => {
    const ask = browserOf(panel, 'de')
    await signIn(ask)
    const page = await ask(list)
    expect(page.text).toMatch(/<button name="language" value="fr" lang="fr" aria-pressed="false">Français</)
    expect(page.text).not.toContain('?_language=')
    const token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const choose = (language: string) =>
      ask('/admin/preferences', {
        method: 'POST',
        form: { _token: token, _method: 'PATCH', language },
        headers: { referer: `http://localhost${list}?sort=-population` },
      })
    const chosen = await choose('fr')
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, `${list}?sort=-population`])
    expect((await ask(list)).headers.get('content-language')).toBe('fr')
    const refused = await choose('xx')
    expect([refused.status, refused.text.includes('en, de, fr')]).toEqual([422, true])

    const other = browserOf(panel, 'de')
    expect((await other('/admin/login')).headers.get('content-language')).toBe('de')
    const signed = await signIn(other)
    expect(signed.headers.getSetCookie().join()).toContain('daymark-admin-language=fr; Path=/admin')
    expect((await other(list)).headers.get('content-language')).toBe('fr')
    const change = (language: unknown) =>
      other('/admin/preferences', { method: 'PATCH', accept, json: { language }, headers: { 'sec-fetch-site': 'same-origin' } })
    expect((await other('/admin/preferences', { accept })).json.data).toMatchObject({ language: 'fr' })
    for (const wrong of ['xx', 7, ['fr']]) expect((await change(wrong)).status).toBe(422)
    // Taken back, it is again what the browser asks for.
    const back = await change(null)
    expect([back.status, 'language' in back.json.data]).toEqual([200, false])
    expect(back.headers.getSetCookie().join()).toMatch(/daymark-admin-language=; Path=\/admin; Max-Age=0/)
    expect((await other(list)).headers.get('content-language')).toBe('de')
    // A browser that is signed in keeps its own; a new sign-in has none to bring.
    expect((await signIn(browserOf(panel, 'de'))).headers.getSetCookie().join()).not.toContain('language')
  })

  test('neither a language that there is not nor a program chooses one', async () => {
    const ask = browserOf(panel)
    await signIn(ask)
    const none = await ask(`${list}?_language=xx`)
    expect(none.headers.getSetCookie().join()).not.toContain('language')
    const program = await ask(`${list}?_language=fr`, { accept })
    expect([program.status, Object.keys(program.json.errors)]).toEqual([422, ['_language']])
    const written = await ask(`${list}?_language=fr`, {
      method: 'POST',
      accept,
      json: { name: 'Oslo' },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(written.headers.getSetCookie().join()).not.toContain('language')
    expect((await ask(list, { headers: { cookie: 'daymark-admin-language=xx' } })).headers.get('content-language')).toBe('en')
  })

  test('sessions, form tokens, wrong sign-ins, jobs and what is known of the database are the same in each', async () => {
    const ask = browserOf(panel, 'de')
    await signIn(ask)
    const form = await ask('/admin/resource/cities/form-page/1')
    const token = /name="_token" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    const version = /name="_version" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    for (let i = 0; i < 3; i++) expect((await ask(list, { headers: { 'accept-language': 'fr' } })).text).toContain('Berlin')
    const fields = { _method: 'PATCH', _token: token, _version: version, _form: '1', name: 'Bärlin' }
    const saved = await ask(`${list}/1`, { method: 'POST', form: fields, headers: { 'accept-language': 'en' } })
    expect(saved.status).toBe(303)
    const french = await ask(list, { headers: { 'accept-language': 'fr' } })
    expect([french.text.includes('Bärlin'), french.text.includes('Berlin')]).toEqual([true, false])
    // The message about it is in the language of the page that shows it.
    expect(french.text).toContain('Élément enregistré')

    const headers = { 'sec-fetch-site': 'same-origin' }
    const begun = await ask('/admin/resource/cities/handler?handlerUri=count', {
      method: 'POST',
      accept,
      json: { ids: ['1', '2'] },
      headers,
    })
    expect(begun.status).toBe(202)
    const job = begun.headers.get('location') ?? ''
    await expect.poll(async () => (await ask(job, { accept, headers: { 'accept-language': 'en' } })).json.data.text).toBe('Gezählt: 2')

    for (let i = 0; i < 5; i++) expect((await signIn(browserOf(panel, locales[i % 3] as string), 'wrong')).status).toBe(401)
    for (const locale of locales) expect((await signIn(browserOf(panel, locale))).status).toBe(429)
  })

  test('numbers of a form are read as the language of the form has them, whichever was chosen since', async () => {
    const ask = browserOf(panel, 'de')
    await signIn(ask)
    const form = await ask('/admin/resource/cities/form-page/3')
    expect(form.text).toContain('name="_language" value="de"')
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form.text)?.[1] ?? ''
    const fields = Object.fromEntries(['_token', '_version', '_zone', '_language'].map((name) => [name, hidden(name)]))
    const later = { method: 'POST', headers: { 'accept-language': 'en' } }
    const saved = await ask(`${list}/3`, { ...later, form: { ...fields, _method: 'PATCH', _form: '1', population: '2.900.000' } })
    expect(saved.status).toBe(303)
    expect((await ask(`${list}/3`, { accept })).json.data.population).toBe(2_900_000)
    const cell = { _token: hidden('_token'), _language: 'de', _method: 'PUT', field: 'population', was: '2.900.000', value: '2.900.005' }
    const row = await ask(list, { headers: { 'accept-language': 'de' } })
    expect(row.text).toContain('name="_language" value="de"')
    expect((await ask('/admin/update-field/column/cities/3', { ...later, form: cell })).status).toBe(303)
    expect((await ask(`${list}/3`, { accept })).json.data.population).toBe(2_900_005)
    // In English that is no number.
    const wrong = await ask(`${list}/3`, {
      ...later,
      form: { ...fields, _version: '', _language: 'en', _method: 'PATCH', _form: '1', population: '2.900.001' },
    })
    expect(wrong.status).toBe(422)
  })

  test('deleted in one, restored in another', async () => {
    const ask = browserOf(panel)
    await signIn(ask)
    const headers = { 'sec-fetch-site': 'same-origin' }
    expect((await ask(`${list}/2`, { method: 'DELETE', accept, headers: { ...headers, 'accept-language': 'de' } })).status).toBe(200)
    const trash = await ask('/admin/resource/cities-trash/crud', { headers: { 'accept-language': 'fr' } })
    expect([trash.text.includes('Paris'), trash.headers.get('content-language')]).toEqual([true, 'fr'])
    const restored = await ask('/admin/resource/cities-trash/handler?handlerUri=restore', {
      method: 'POST',
      accept,
      json: { ids: [2] },
      headers: { ...headers, 'accept-language': 'fr' },
    })
    expect([restored.status, restored.json.message.includes('Paris')]).toEqual([200, true])
    expect((await ask(`${list}/2`, { accept })).status).toBe(200)
  })

  test('without cookies only the header counts, and pages have no links', async () => {
    process.env.JWT_SECRET = Buffer.alloc(32, 7).toString('base64')
    const tokens = await open({ middleware: [], auth: { middleware: authenticateApi(), pipelines: [jwtAuth()] } })
    try {
      const ask = browserOf(tokens, 'fr')
      const cookie = 'daymark-admin-language=de'
      expect((await ask(list, { accept, headers: { cookie } })).headers.get('content-language')).toBe('fr')
      for (const path of [list, '/admin/nothing']) expect((await ask(path)).text).not.toContain('_language=')
      // Nothing would keep the choice.
      expect((await ask(`${list}?_language=de`)).headers.getSetCookie()).toEqual([])
    } finally {
      await tokens.close()
      delete process.env.JWT_SECRET
    }
  })
})

const cities = memoryStore(inSqlite, [{ id: 1, name: 'Berlin', population: 1, deletedAt: null }])
const Cities = (title: string) => defineResource({ model: cities, title })

test('in open mode the theme is the same in each, too, and a panel in one language has no links', async () => {
  const panel = definePanelIn(['en', 'de'], (locale) => ({ auth: 'open', resources: [Cities(locale)] }))
  const ask = browserOf(panel)
  await ask('/admin/preferences', { method: 'PATCH', accept, json: { theme: 'dark' }, headers: { 'accept-language': 'en' } })
  expect((await ask(list, { headers: { 'accept-language': 'de' } })).text).toContain('<html lang="de" dir="ltr" data-theme="dark">')
  for (const one of [
    definePanelIn(['de'], () => ({ auth: 'open', resources: [Cities('Städte')] })),
    definePanel({ auth: 'open', locale: 'de', resources: [Cities('Städte')] }),
  ]) {
    const page = await browserOf(one, 'fr')(list)
    expect([page.text.includes('_language'), page.headers.get('content-language'), page.headers.get('vary')]).toEqual([
      false,
      null,
      'Accept',
    ])
    expect(page.text).toContain('<html lang="de"')
    expect((await browserOf(one)(`${list}?_language=en`)).headers.getSetCookie().join()).not.toContain('language')
  }
})

test('a resource may be the same in each: what is known of its rows is still in one language', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-languages-'))
  const file = new Sqlite(join(folder, 'app.db'))
  file.exec('create table cities (id integer primary key, name text not null, population integer, deleted_at integer)')
  file.exec("insert into cities values (1, 'Berlin', 3500000, 1700000000000)")
  file.close()
  const One = defineResource({ model: inSqlite })
  const panel = definePanelIn(['en', 'de'], () => ({ auth: 'open', database: `sqlite:${join(folder, 'app.db')}`, resources: [One] }))
  const server = await panel.listen({ port: 0 })
  try {
    for (let i = 0; i < 5; i++)
      for (const [language, number, month] of [
        ['en', '3,500,000', 'Nov 14, 2023'],
        ['de', '3.500.000', '14.11.2023'],
      ] as const) {
        const page = await fetch(`${server.url}${list}`, { headers: { accept: 'text/html', 'accept-language': language } })
        const text = await page.text()
        expect([page.headers.get('content-language'), text.includes(number), text.includes(month)]).toEqual([language, true, true])
      }
  } finally {
    await server.close()
    await panel.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('what must not differ stops the start', () => {
  const faults = (make: () => unknown): readonly string[] => {
    try {
      make()
    } catch (thrown) {
      if (thrown instanceof DeclarationError) return thrown.problems.map(({ id, where, text }) => `${id} ${where}: ${text}`)
      throw thrown
    }
    return []
  }
  const open = { auth: 'open' } as const
  const table = () => sqliteTable('cities', { id: integer().primaryKey(), name: varchar().notNull() })

  test.each<[why: string, make: () => unknown, fault: RegExp]>([
    ['no language', () => definePanelIn([] as never, () => ({ ...open, resources: [] })), /^languages locales: name at least one/],
    ['one twice', () => definePanelIn(['en', 'en'], () => ({ ...open, resources: [] })), /^languages locales: name each once/],
    ['a bad tag', () => definePanelIn(['en', 'no tag'], () => ({ ...open, resources: [] })), /^locale locale: "no tag" is not/],
    [
      'another resource',
      () => definePanelIn(['en', 'de'], (locale) => ({ ...open, resources: locale === 'en' ? [] : [Cities('x')] })),
      /^languages resources: in de are cities, in en another/,
    ],
    [
      'another page',
      () =>
        definePanelIn(['en', 'de'], (locale) => ({
          ...open,
          resources: [],
          pages: [definePage({ uri: locale === 'en' ? 'report' : 'bericht', title: 'x', components: [] })],
        })),
      /^languages pages: in de are bericht, in en another/,
    ],
    [
      'another field',
      () =>
        definePanelIn(['en', 'de'], (locale) => ({
          ...open,
          resources: [defineResource({ model: cities, fields: locale === 'en' ? { id: id(), name: text() } : { id: id() } })],
        })),
      /^languages cities\.fields: in de are id, in en another/,
    ],
    [
      'a table for each',
      () => definePanelIn(['en', 'de'], () => ({ ...open, database: 'sqlite::memory:', resources: [defineResource({ model: table() })] })),
      /^languages cities\.model: in de is a table of its own. Make it once/,
    ],
    [
      'a store for each',
      () => definePanelIn(['en', 'de'], () => ({ ...open, resources: [defineResource({ model: memoryStore(inSqlite, []) })] })),
      /^languages cities\.store: in de is one of its own. Make it once/,
    ],
    [
      'another path',
      () => definePanelIn(['en', 'de'], (locale) => ({ ...open, resources: [], prefix: { panel: locale } })),
      /^languages prefix: in de is \{"panel":"de"\}, in en another/,
    ],
    [
      'others who sign in',
      () =>
        definePanelIn(['en', 'de'], (locale) => ({
          resources: [],
          database: 'sqlite::memory:',
          ...(locale === 'en' ? open : { auth: { middleware: authenticate(), pipelines: [password()] } }),
        })),
      /^languages auth: in de is for users, in en another/,
    ],
    [
      'another secret, which is not said',
      () => definePanelIn(['en', 'de'], (locale) => ({ ...open, resources: [], secret: `hush-${locale}` })),
      /^languages secret: in de is one of its own, in en another: only texts differ$/,
    ],
  ])('%s', (_, make, fault) => {
    const found = faults(make)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(fault)
  })
})
