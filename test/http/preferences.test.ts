import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, number, type Panel, text, textarea } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  population: integer(),
  notes: varchar(),
  secret: varchar(),
  mayor: varchar(),
})
const Cities = defineResource({
  model: cities,
  fields: {
    id: id(),
    name: text('Name').columnSelection(false).sortable(),
    population: number('Population').sortable(),
    notes: textarea('Notes'),
    secret: text('Secret').visible(['boss']),
    mayor: text('Mayor').columnSelection(false),
  },
  computed: { size: { label: 'Size', needs: ['population'], value: ({ population }) => ((population ?? 0) > 5 ? 'large' : 'small') } },
  pages: { index: ['id', 'name', 'population', 'secret'] },
  filters: ['name', 'population'],
  columnSelection: true,
})
const Fixed = defineResource({ model: cities, uriKey: 'fixed', fields: { id: id(), name: text('Name') } })
const Hidden = defineResource({ model: cities, uriKey: 'hidden', fields: { id: id() }, columnSelection: true, can: { view: ['boss'] } })

const folder = mkdtempSync(join(tmpdir(), 'daymark-'))
const statements: string[] = []
let panel: Panel
const database = `sqlite:${join(folder, 'cities.db')}`
const cookies = new Map<string, string>()

beforeAll(async () => {
  const db = new Sqlite(join(folder, 'cities.db'))
  db.exec('CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL, population INTEGER, notes TEXT, secret TEXT, mayor TEXT)')
  db.exec("INSERT INTO cities VALUES (1, 'Oslo', 7, 'cold', 'sesame', 'Anne'), (2, 'Rome', 3, 'warm', 'sesame', 'Roberto')")
  db.close()
  panel = definePanel({ database, resources: [Cities, Fixed, Hidden], observe: (sql) => statements.push(sql), secret: 'x', log: () => {} })
  for (const [username, roles] of [
    ['ann', ['admin']],
    ['bob', ['admin', 'boss']],
  ] as const) {
    await panel.ensureUser({ username, roles, password: 'correct horse battery' })
    cookies.set(`${username} 1`, await signIn(username))
  }
  cookies.set('ann 2', await signIn('ann'))
})
afterAll(async () => {
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})

const base = 'http://localhost/admin'

async function signIn(username: string): Promise<string> {
  const response = await panel.fetch(
    new Request(`${base}/authenticate`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username, password: 'correct horse battery' }),
    }),
  )
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

interface Given {
  readonly json?: unknown
  readonly form?: readonly (readonly [string, string])[]
}

/** Asks as somebody, from one of their browsers. */
async function ask(who: string, path: string, { json, form }: Given = {}) {
  const data = json !== undefined || path.startsWith('json:')
  const response = await panel.fetch(
    new Request(base + path.replace('json:', ''), {
      method: json !== undefined ? 'PATCH' : form ? 'POST' : 'GET',
      headers: {
        accept: data ? 'application/json' : 'text/html',
        cookie: cookies.get(who) ?? '',
        'sec-fetch-site': 'same-origin',
        referer: `${base}/resource/cities/crud?sort=name`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form && { body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString() }),
    }),
  )
  const text = await response.text()
  return { status: response.status, text, json: data ? JSON.parse(text) : null, headers: response.headers }
}

const change = (...fields: (readonly [string, string])[]) => ({ form: [['_method', 'PATCH'], ...fields] as const })
const heads = (markup: string) => [...markup.matchAll(/<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]+)/g)].map(([, label]) => label)
const menu = (markup: string) =>
  [...markup.matchAll(/name="columns\[cities\]" value="([^"]+)"( checked)?/g)].map(([, key, on]) => `${key}${on ? '+' : ''}`)

describe('columns', () => {
  test('the menu has what one may read and may choose', async () => {
    expect(menu((await ask('ann 1', '/resource/cities/crud')).text)).toEqual(['id+', 'population+', 'notes', 'size'])
    expect(menu((await ask('bob 1', '/resource/cities/crud')).text)).toEqual(['id+', 'population+', 'secret+', 'notes', 'size'])
    expect((await ask('ann 1', '/resource/fixed/crud')).text).not.toContain('name="columns[')
  })

  test('a choice is seen in another browser, by nobody else, and not by programs', async () => {
    const answer = await ask(
      'ann 1',
      '/preferences',
      change(['columns[cities]', ''], ['columns[cities]', 'size'], ['columns[cities]', 'notes']),
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/resource/cities/crud?sort=name'])
    expect(heads((await ask('ann 2', '/resource/cities/crud')).text)).toEqual(['Name', 'Size', 'Notes'])
    expect(menu((await ask('ann 2', '/resource/cities/crud')).text)).toEqual(['id', 'population', 'size+', 'notes+'])
    expect(heads((await ask('bob 1', '/resource/cities/crud')).text)).toEqual(['ID', 'Name', 'Population', 'Secret'])
    expect(Object.keys((await ask('ann 1', 'json:/resource/cities/crud')).json.data[0])).toEqual(['id', 'name', 'population'])
    expect((await ask('ann 1', '/resource/cities/export')).text).toContain('ID,Name,Population\r\n')
  })

  test('they are seen in the order in which they were sent, and a file of the list has it', async () => {
    const seen = async () => {
      const { text } = await ask('ann 1', '/resource/cities/crud')
      const [, link = ''] = /href="\/admin(\/resource\/cities\/export[^"]*)"/.exec(text) ?? []
      return { heads: heads(text), file: (await ask('ann 1', link.replaceAll('&amp;', '&'))).text.split('\r\n')[0] }
    }
    const { json } = await ask('ann 1', '/preferences', { json: { columns: { cities: ['size', 'population', 'id', 'size'] } } })
    expect(json.data.columns).toEqual({ cities: ['size', 'population', 'id'] })
    // What cannot be left out, and what labels the record, keeps the place that it is declared at among those that are shown.
    expect(await seen()).toEqual({ heads: ['Size', 'Name', 'Population', 'ID'], file: expect.stringContaining('Size,Name,Population,ID') })
    expect(menu((await ask('ann 2', '/resource/cities/crud')).text)).toEqual(['size+', 'population+', 'notes', 'id+'])
    // Without script, by one place each.
    const form = (...more: (readonly [string, string])[]) =>
      change(['columns[cities]', ''], ...['size', 'population', 'id'].map((key) => ['columns[cities]', key] as const), ...more)
    await ask('ann 1', '/preferences', form(['_up', 'id']))
    expect((await seen()).heads).toEqual(['Size', 'Name', 'ID', 'Population'])
    await ask('ann 1', '/preferences', form(['_down', 'size']))
    expect((await seen()).heads).toEqual(['Population', 'Name', 'Size', 'ID'])
    for (const nowhere of [
      ['_up', 'size'],
      ['_down', 'id'],
      ['_up', 'notes'],
      ['_up', 'name'],
      ['_down', ''],
    ] as const) {
      expect((await ask('ann 1', '/preferences', form(nowhere))).status).toBe(303)
      expect((await seen()).heads, nowhere.join()).toEqual(['Size', 'Name', 'Population', 'ID'])
    }
    expect(heads((await ask('ann 1', '/resource/cities/crud?fields=id,name,population')).text)).toEqual(['ID', 'Name', 'Population'])
  })

  test('what was declared since the choice is shown at its declared place; what was left out is not', async () => {
    await panel.close()
    const over = (index: readonly string[], detail: readonly string[]) => {
      const Now = defineResource({
        model: cities,
        columnSelection: true,
        fields: { id: id(), name: text('Name'), population: number('Population'), notes: text('Notes'), mayor: text('Mayor') },
        pages: { index, detail },
      } as never)
      panel = definePanel({ database, resources: [Now], secret: 'x', log: () => {} })
    }
    over(['id', 'name', 'population'], [])
    await ask('ann 1', '/preferences', change(['columns[cities]', 'population'], ['columns[cities]', 'name']))
    await panel.close()
    over(['id', 'mayor', 'name', 'population', 'notes'], [])
    const { text: page } = await ask('ann 1', '/resource/cities/crud')
    expect(heads(page)).toEqual(['Mayor', 'Name', 'Population', 'Notes'])
    expect(menu(page)).toEqual(['id', 'mayor+', 'name+', 'population+', 'notes+'])
    // A choice of an older version of the panel says nothing of what is not in it.
    const db = new Sqlite(join(folder, 'cities.db'))
    db.exec(`update daymark_preferences set value = '["notes","name"]' where name = 'columns:cities'`)
    db.close()
    expect(heads((await ask('ann 1', '/resource/cities/crud')).text)).toEqual(['Name', 'Notes'])
    await panel.close()
    panel = definePanel({
      database,
      resources: [Cities, Fixed, Hidden],
      observe: (sql) => statements.push(sql),
      secret: 'x',
      log: () => {},
    })
    await ask('ann 1', '/preferences', change(['columns[cities]', 'size'], ['columns[cities]', 'notes']))
  })

  test('an address that names columns wins', async () => {
    expect(heads((await ask('ann 1', '/resource/cities/crud?fields=population')).text)).toEqual(['Population'])
  })

  test('one row that is asked for again has them too', async () => {
    const { text } = await ask('ann 1', '/component/index-page/cities?_component_name=index-table-cities&_key=1&_row=4')
    expect(text).toContain('cold')
    expect(text).not.toContain('>7<')
  })

  test('nothing chosen is what everybody sees', async () => {
    await ask('ann 1', '/preferences', change(['columns[cities]', '']))
    expect(heads((await ask('ann 1', '/resource/cities/crud')).text)).toEqual(['ID', 'Name', 'Population'])
  })

  test.each([
    ['a field that one may not read', { columns: { cities: ['secret'] } }, 'columns.cities'],
    ['a field that cannot be chosen', { columns: { cities: ['name'] } }, 'columns.cities'],
    ['a resource that one may not list', { columns: { hidden: ['id'] } }, 'columns.hidden'],
    ['a resource that is none', { columns: { __proto__x: ['id'] } }, 'columns.__proto__x'],
    ['a resource without a choice', { columns: { fixed: ['id'] } }, 'columns.fixed'],
    ['no list', { columns: { cities: 'id' } }, 'columns.cities'],
    ['no object', { columns: ['id'] }, 'columns'],
    ['a density that is none', { density: 'tiny' }, 'density'],
    ['a theme that is not a text', { theme: 7 }, 'theme'],
    ['another name', { colour: 'red' }, 'colour'],
    ['a view of a filter that does not exist', { views: { cities: { Bad: 'filter[secret]=x' } } }, 'views.cities'],
    ['a view without a name', { views: { cities: { ' ': 'sort=name' } } }, 'views.cities'],
    ['a view with too long a name', { views: { cities: { ['x'.repeat(61)]: 'sort=name' } } }, 'views.cities'],
    ['a view of a resource that one may not list', { views: { hidden: { A: '' } } }, 'views.hidden'],
    [
      'a view for which an address has no room',
      { views: { cities: { A: `${'filter[name][]=x&'.repeat(500)}sort=name` } } },
      'views.cities',
    ],
    ['a view that is not a text', { views: { cities: { A: 7 } } }, 'views.cities'],
    [
      'too many views',
      { views: { cities: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`View ${i}`, 'sort=name'])) } },
      'views.cities',
    ],
  ])('%s is refused', async (_, json, name) => {
    const { status, json: body } = await ask('ann 1', '/preferences', { json })
    expect([status, Object.keys(body.errors)]).toEqual([422, [name]])
    expect((await ask('ann 1', 'json:/preferences')).json).toEqual({ data: { theme: 'system', density: 'normal', columns: {}, views: {} } })
  })
})

describe('density and theme', () => {
  test('are the user’s, in every browser', async () => {
    await ask('ann 1', '/preferences', change(['density', 'compact']))
    expect((await ask('ann 1', '/preferences', { json: { theme: 'dark' } })).json.data).toMatchObject({ theme: 'dark', density: 'compact' })
    expect((await ask('ann 2', '/resource/cities/crud')).text).toMatch(/<html[^>]* data-theme="dark" data-density="compact">/)
    expect((await ask('bob 1', '/resource/cities/crud')).text).not.toMatch(/data-theme|data-density/)
    await ask('ann 1', '/preferences', { json: { theme: null, density: null } })
    expect((await ask('ann 2', '/resource/cities/crud')).text).not.toMatch(/data-theme|data-density/)
  })
})

describe('saved views', () => {
  const save = (name: string, query: string) => change(['_resource', 'cities'], ['_view', name], ['_query', query])
  const views = (markup: string) =>
    [...markup.matchAll(/<li><a href="([^"]+)"( aria-current="true")?><span>([^<]*)<\/span><\/a><button class="forget"/g)].map(
      ([, href, current, name]) => `${name}${current ? '*' : ''} ${href?.replaceAll('&amp;', '&')}`,
    )

  test('a view is a link under a name', async () => {
    const query = 'filter[population][from]=5&sort=-name&page=3&perPage=50&other=1'
    const answer = await ask('ann 1', '/preferences', save('Big <b>', query))
    const href = '/admin/resource/cities/crud?filter%5Bpopulation%5D%5Bfrom%5D=5&sort=-name'
    expect([answer.status, answer.headers.get('location')]).toEqual([303, href])
    await ask('ann 1', '/preferences', save('All', ''))
    expect(views((await ask('ann 2', href.replace('/admin', ''))).text)).toEqual([
      'All /admin/resource/cities/crud',
      `Big &lt;b&gt;* ${href}`,
    ])
    expect((await ask('ann 2', href.replace('/admin', ''))).text).not.toContain('Rome')
    expect(views((await ask('bob 1', '/resource/cities/crud')).text)).toEqual([])
  })

  test('the same name again is the same view; it is forgotten by its name', async () => {
    await ask('ann 1', '/preferences', save('All', 'sort=name'))
    const forgotten = await ask('ann 1', '/preferences', change(['_resource', 'cities'], ['_forget', 'Big <b>']))
    expect(forgotten.headers.get('location')).toBe('/admin/resource/cities/crud?sort=name')
    expect((await ask('ann 1', 'json:/preferences')).json.data.views).toEqual({ cities: { All: 'sort=name' } })
    await ask('ann 1', '/preferences', { json: { views: { cities: { All: null } } } })
    expect((await ask('ann 1', 'json:/preferences')).json.data.views).toEqual({})
  })

  test('columns that were chosen are part of it', async () => {
    await ask('ann 1', '/preferences', { json: { columns: { cities: ['size'] } } })
    expect((await ask('ann 1', '/resource/cities/crud?sort=name')).text).toContain('name="_query" value="sort=name&amp;fields=name%2Csize"')
    await ask('ann 1', '/preferences', { json: { columns: { cities: null } } })
  })
})

test('choices are read once for a page, and not at all for programs', async () => {
  const reads = async (path: string) => {
    statements.length = 0
    expect((await ask('ann 1', path)).status).toBe(200)
    return statements.filter((sql) => sql.includes('daymark_preferences')).length
  }
  expect(await reads('/resource/cities/crud')).toBe(1)
  expect(await reads('/resource/cities/crud/1')).toBe(1)
  expect(await reads('json:/resource/cities/crud')).toBe(0)
  expect(await reads('json:/resource/cities/crud/1')).toBe(0)
})
