import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import {
  definePage,
  definePanel,
  definePlugin,
  defineResource,
  heading,
  html,
  memoryStore,
  type PanelSpec,
  type Plugin,
  refuse,
} from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, describe, expect, it } from 'vitest'
import { openWorld } from '../auth/world.js'

const things = sqliteTable('things', { id: integer().primaryKey(), name: text().notNull() })
const folder = mkdtempSync(join(tmpdir(), 'daymark-plugin-'))
const file = join(folder, 'own.js')
const script = `export default "${'long '.repeat(100)}"`
writeFileSync(file, script)
writeFileSync(`${file}.gzip`, gzipSync(script))
afterAll(() => rmSync(folder, { recursive: true }))

const reports = definePlugin({
  id: 'reports',
  resources: [defineResource({ model: memoryStore(things, [{ id: 1, name: 'One' }]) })],
  assets: { 'own.js': pathToFileURL(file) },
  views: {
    'reports::sum': ({ sum }: { sum: number }, at) => ({
      title: 'Sum',
      content: html`<p class="sum">${sum} &lt; <a href="${at.asset('own.js')}">own</a></p>`,
      scripts: [at.asset('own.js')],
      policy: { 'style-src': "'unsafe-inline'" },
    }),
  },
  shows: ['reports::sum'],
  routes: ({ realm, place, routes }) => [
    {
      name: 'sum',
      methods: ['GET'],
      path: '/sum',
      ability: 'signedIn',
      query: 'none',
      verb: { on: 'panel', ends: ['answered'], run: async () => ({ is: 'answered', data: { sum: 3 }, view: 'reports::sum' }) },
    },
    {
      name: 'add',
      methods: ['POST'],
      path: '/sum',
      ability: 'signedIn',
      body: 'fields',
      query: 'none',
      verb: { on: 'panel', ends: ['answered'], run: async () => refuse('more', 'There is no more') },
    },
    {
      name: 'rows',
      methods: ['GET'],
      path: '/{resourceUri}/rows',
      ability: 'viewAny',
      query: 'none',
      verb: {
        on: 'resource',
        ends: ['answered'],
        run: async ({ resource }) => ({ is: 'answered', data: { of: resource.title } }),
      },
    },
    {
      name: 'about',
      methods: ['GET'],
      at: 'root',
      as: 'json',
      path: '/about.json',
      ability: 'public',
      query: 'own',
      verb: {
        on: 'guest',
        ends: ['answered'],
        run: async () => ({
          is: 'answered',
          data: {
            resources: [...realm.resources.keys()],
            panel: place.prefix.panel,
            routes: routes().flatMap((one) => (one.name.startsWith('reports') ? [[one.name, one.path]] : [])),
          },
          view: null,
        }),
      },
    },
  ],
})

function panelWith(spec: Partial<PanelSpec> = {}, plugins: readonly Plugin[] = [reports]) {
  const panel = definePanel({ auth: 'open', resources: [], plugins, ...spec })
  return async (path: string, { accept = 'application/json', ...init }: RequestInit & { accept?: string; headers?: never } = {}) => {
    const headers = { accept, 'accept-encoding': 'gzip', ...(init.body && { 'content-type': 'application/json' }) }
    const response = await panel.fetch(new Request(`http://127.0.0.1:3000${path}`, { ...init, headers }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

describe('a plugin', () => {
  it('adds routes below its own path: data for programs, its page for people', async () => {
    const ask = panelWith()
    const data = await ask('/admin/plugin/reports/sum')
    expect(data).toMatchObject({ status: 200, text: '{"sum":3}' })
    expect(data.headers.get('etag')).toMatch(/^W\/"/)
    const page = await ask('/admin/plugin/reports/sum', { accept: 'text/html' })
    expect(page.status).toBe(200)
    expect(page.text).toMatch(/<p class="sum">3 &lt; <a href="\/admin\/assets\/[0-9a-f]{12}\/own\.js">/)
    expect(page.text).toMatch(/<script type="module" src="\/admin\/assets\/[0-9a-f]{12}\/own\.js">/)
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self' 'unsafe-inline';")
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
    const other = await ask('/admin', { accept: 'text/html' })
    expect(other.headers.get('content-security-policy')).not.toContain('unsafe')
  })

  it('may have a page at its own path', async () => {
    const own = (house: never) => reports.routes(house).flatMap((row) => (row.name === 'sum' ? [{ ...row, path: '/' }] : []))
    const ask = panelWith({}, [{ ...reports, routes: own as never }])
    expect(await ask('/admin/plugin/reports')).toMatchObject({ status: 200, text: '{"sum":3}' })
  })

  it('shows people the data where it names no page', async () => {
    const { status, text: shown } = await panelWith()('/admin/plugin/reports/things/rows', { accept: 'text/html' })
    expect([status, /<pre class="card">\{[^}]*Things[^}]*\}/.test(shown)]).toEqual([200, true])
  })

  it('adds pages of components and lines of the menu', async () => {
    const page = definePage({ uri: 'year', title: 'The year', components: [heading('In figures')] })
    const own = definePlugin({ id: 'year', pages: [page], menu: [{ label: 'Help', href: 'https://example.com/help' }] })
    const ask = panelWith({}, [own])
    const shown = await ask('/admin/page/year', { accept: 'text/html' })
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('In figures')
    expect(shown.text).toContain('href="/admin/page/year"')
    expect(shown.text.indexOf('href="https://example.com/help"')).toBeGreaterThan(shown.text.indexOf('href="/admin/page/year"'))
    const wrong = definePlugin({ id: 'year', menu: [page] })
    expect(() => panelWith({}, [wrong])).toThrow('menu-page')
  })

  it('refuses as every verb does, and its path knows its methods', async () => {
    const ask = panelWith()
    expect(await ask('/admin/plugin/reports/sum?more=1')).toMatchObject({ status: 422 })
    const refused = await ask('/admin/plugin/reports/sum', { method: 'POST', body: '{}' })
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('There is no more') })
    const wrong = await ask('/admin/plugin/reports/sum', { method: 'DELETE' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })

  it.each<[unknown, string]>([
    [undefined, 'no Outcome (undefined)'],
    [null, 'no Outcome (null)'],
    ['a secret', 'no Outcome (string)'],
    [{ sum: 3 }, 'no Outcome (object)'],
    [{ is: 'anwsered', data: {} }, 'no Outcome (is: "anwsered")'],
    [{ is: 'toString' }, 'no Outcome (is: "toString")'],
    [{ is: 'answered' }, 'data that is no object (undefined)'],
    [{ is: 'answered', data: 3 }, 'data that is no object (number)'],
  ])('that returns %j is an error of ours, and the log says whose and why', async (returned, says) => {
    const said: string[] = []
    const [row] = reports.routes({} as never)
    const verb = { on: 'panel', ends: ['answered'], run: async () => returned }
    const ask = panelWith({ log: ({ message }) => said.push(message) }, [{ id: 'a', routes: () => [{ ...row, verb } as never] }])
    for (const accept of ['application/json', 'text/html']) expect((await ask('/admin/plugin/a/sum', { accept })).status).toBe(500)
    const whole = `The verb "a.sum" returned ${says}: return { is: 'answered', data: { … } }`
    expect(said).toEqual([whole, whole])
  })

  it.each(['', '/below/this', '/admin'])('may stand where the panel is mounted: below %j', async (mount) => {
    const ask = panelWith({ url: `http://127.0.0.1:3000${mount}`, prefix: { panel: 'back' } })
    for (const path of [`${mount}/about.json`, '/about.json']) {
      const about = await ask(path, { accept: 'text/html' })
      expect(about.status, path).toBe(200)
      expect(about.headers.get('content-type')).toBe('application/json')
      expect(JSON.parse(about.text)).toEqual({
        resources: ['things'],
        panel: 'back',
        routes: [
          ['reports.sum', '/plugin/reports/sum'],
          ['reports.add', '/plugin/reports/sum'],
          ['reports.rows', '/plugin/reports/{resourceUri}/rows'],
          ['reports.about', '/about.json'],
        ],
      })
    }
    expect((await ask(`${mount}/back/about.json`)).status).toBe(404)
    expect((await panelWith({ url: `http://127.0.0.1:3000${mount}` }, [])(`${mount}/about.json`)).status).toBe(404)
  })

  it('adds resources and assets', async () => {
    const ask = panelWith()
    expect(JSON.parse((await ask('/admin/resource/things/crud')).text).data).toEqual([{ id: 1, name: 'One' }])
    const url = /\/admin\/assets\/\w+\/own\.js/.exec((await ask('/admin/plugin/reports/sum', { accept: 'text/html' })).text)?.[0] ?? ''
    const asset = await ask(url)
    expect(asset.status).toBe(200)
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(asset.headers.get('content-encoding')).toBe('gzip')
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect((await ask(url.replace(/assets\/\w+/, 'assets/000000000000'))).status).toBe(404)
  })

  it('has its views replaced by the panel', async () => {
    const ask = panelWith({ views: { 'reports::sum': ({ sum }) => ({ title: 'Ours', content: html`<h1>ours: ${sum}</h1>`, bare: true }) } })
    const page = await ask('/admin/plugin/reports/sum', { accept: 'text/html' })
    expect(page.text).toContain('<h1>ours: 3</h1>')
    expect(page.text).not.toContain('class="sum"')
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
  })

  it('passes the gate', async () => {
    const world = await openWorld({ plugins: [definePlugin({ ...reports, resources: [] })] })
    try {
      const [nobody, admin, reader] = [{}, await world.as('admin'), await world.as('reader')]
      const status = async (path: string, headers: Record<string, string>) => (await world.ask({ path, headers })).status
      expect(await status('/admin/plugin/reports/sum', nobody)).toBe(401)
      expect(await status('/admin/plugin/reports/sum', reader)).toBe(200)
      expect(await status('/about.json', nobody)).toBe(200)
      expect(await status('/admin/plugin/reports/vaults/rows', reader)).toBe(403)
      expect(await status('/admin/plugin/reports/vaults/rows', admin)).toBe(200)
      expect(await status('/admin/plugin/reports/nowhere/rows', admin)).toBe(404)
    } finally {
      await world.close()
    }
  })
})

describe('start-up says what is wrong', () => {
  it.each<[string, readonly Plugin[], string]>([
    ['an id that is none', [{ id: 'No good' }], 'plugin-id'],
    ['an id that stands twice', [{ id: 'a' }, { id: 'a' }], 'plugin-id'],
    ['a view that nobody brings', [{ id: 'a', shows: ['a::none'] }], 'plugin-view'],
    ['no id, as of a plugin that was not called', [(() => ({ id: 'a' })) as never], 'plugin-id  plugins[0].id: "undefined" must be'],
    [
      'an unknown part',
      [{ id: 'a', routez: () => [] } as Plugin],
      'setting-unknown  plugins[0].routez: unknown setting "routez". Valid: id, ',
    ],
    ['routes that are listed', [{ id: 'a', routes: [] } as never], 'setting-value  plugins[0].routes: a list is not a function'],
    ['views that are listed', [{ id: 'a' }, { id: 'b', views: [] } as never], 'setting-value  plugins[1].views: a list is not an object'],
    [
      'a view that is no function',
      [{ id: 'a', views: { 'a::b': '<h1>' } } as never],
      'setting-value  plugins[0].views.a::b: "<h1>" is not a function',
    ],
    ['an asset that is no URL', [{ id: 'a', assets: { 'a.js': './a.js' } } as never], 'plugin-asset  plugins[0].assets["a.js"]: is no URL'],
    [
      'an asset without a file',
      [{ id: 'a', assets: { 'a.js': new URL('none.js', import.meta.url) } }],
      'plugin-asset  plugins[0].assets["a.js"]: there is no file at file:',
    ],
    [
      "an asset of another plugin's name",
      [
        { id: 'a', assets: { 'a.js': new URL(import.meta.url) } },
        { id: 'b', assets: { 'a.js': new URL(import.meta.url) } },
      ],
      'plugin-asset  plugins[1].assets["a.js"]: another plugin has',
    ],
    ['shows that is no list', [{ id: 'a', shows: 'a::none' } as never], 'listed  plugins[0].shows: must be a list'],
    ['a resource that stands twice', [{ id: 'a', resources: reports.resources ?? [] }, reports], 'resource-uri'],
  ])('%s', (_, plugins, id) => {
    expect(() => panelWith({}, plugins)).toThrow(id)
  })

  it("a view of the panel's own that is no function", () => {
    expect(() => panelWith({ views: { 'reports::sum': html`<h1>` } as never })).toThrow(
      'setting-value  views.reports::sum: an object is not a function',
    )
  })

  it('a row whose path is taken', () => {
    const rows = (reports.routes as NonNullable<Plugin['routes']>)({ routes: () => [] } as never)
    const again = rows.map((row) => ({ ...row, name: `${row.name}-again` }))
    expect(() => panelWith({}, [{ id: 'a', routes: () => [...rows, ...again] }])).toThrow('are both GET')
  })

  it.each([
    ['other names of parameters', '/a/{x}', '/a/{y}'],
    ['its optional parameter', '/a/{x?}', '/a'],
    ['its parameter that another leaves out', '/a/{y}', '/a/{x?}'],
    ['both', '/{x}/b/{y?}', '/{z}/b/'],
  ])('a row that another one hides, but for %s', (_, one, other) => {
    const [row] = (reports.routes as NonNullable<Plugin['routes']>)({ routes: () => [] } as never)
    const both = [
      { ...row, path: one },
      { ...row, name: 'more', methods: ['POST'], path: other },
    ] as never
    expect(() => panelWith({}, [{ id: 'a', routes: () => both }])).toThrow(
      `No request can reach the route "a.more": the paths /plugin/a${one} and /plugin/a${other} match the same`,
    )
  })

  it('but not what differs by a slash at its end, or in its letters', async () => {
    const [row] = (reports.routes as NonNullable<Plugin['routes']>)({ routes: () => [] } as never)
    const rows = ['/a', '/A', '/b%2Fc'].map((path) => ({ ...row, name: encodeURIComponent(path), path }))
    const ask = panelWith({}, [{ ...reports, routes: () => [...rows, { ...row, name: 'slash', methods: ['POST'], path: '/a/' }] as never }])
    for (const path of ['/a', '/A', '/b%2Fc']) expect((await ask(`/admin/plugin/reports${path}`)).status).toBe(200)
  })

  it('a row whose name is taken: the verb of the one would run at the path of the other', () => {
    const [row] = (reports.routes as NonNullable<Plugin['routes']>)({ routes: () => [] } as never)
    const other = { ...row, path: '/other' } as never
    expect(() => panelWith({}, [{ id: 'a', routes: () => [row as never, other] }])).toThrow('Another route has the name "a.sum"')
  })

  it.each<[string, object, string]>([
    ['a path without its slash', { path: 'sum' }, 'The route "a.sum" has the path "sum", which must begin with a slash'],
    ['such a path where the panel is mounted', { at: 'root', path: 'about.json' }, 'The route "a.sum" has the path "about.json"'],
    ['no path', { path: undefined }, 'The route "a.sum" has the path "undefined"'],
    ['a method in small letters', { methods: ['GET', 'post'] }, 'The route "a.sum" has the methods ["GET","post"]'],
    ['a method that every path has by itself', { methods: ['HEAD'] }, 'give it a list of some of GET, POST, PUT, PATCH, DELETE'],
    ['no list of methods', { methods: 'GET' }, 'The route "a.sum" has the methods "GET"'],
    ['no methods', { methods: [] }, 'The route "a.sum" has the methods []'],
    [
      'a path that URLs write otherwise',
      { path: '/a b/{x}' },
      'The route "a.sum" has the path "/a b/{x}", which URLs have as "/a%20b/{x}"',
    ],
    ['a path with letters that URLs encode', { path: '/é' }, 'which URLs have as "/%C3%A9"'],
    ['a path with a query', { path: '/a?b=1' }, 'which URLs have as "/a"'],
    ['a path that leads back', { path: '/a/../b' }, 'which URLs have as "/b"'],
    ['a mistyped query', { query: 'owm' }, 'The route "a.sum" has the query "owm". Valid: list, '],
    ['no query', { query: undefined }, 'The route "a.sum" has the query "undefined". Valid: list, '],
    [
      'a verb on what is nothing',
      { verb: { on: 'panle', ends: ['answered'], run: () => {} } },
      'The verb of the route "a.sum" is on "panle". Valid: resource, panel, ',
    ],
  ])('a row that no request can reach: %s', (_, part, says) => {
    const [row] = (reports.routes as NonNullable<Plugin['routes']>)({ routes: () => [] } as never)
    expect(() => panelWith({}, [{ id: 'a', routes: () => [{ ...row, ...part } as never] }])).toThrow(says)
  })

  it('a row whose ability does not fit its verb', () => {
    const [, row] = (reports.routes as NonNullable<Plugin['routes']>)({ routes: () => [] } as never)
    expect(() => panelWith({}, [{ id: 'a', routes: () => [{ ...(row as never as object), ability: 'public' } as never] }])).toThrow(
      'ability',
    )
  })
})
