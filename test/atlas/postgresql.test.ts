import { getTableColumns } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as postgresqlSchema from '../../examples/atlas/postgresql-schema.js'
import { seed } from '../../examples/atlas/seed.js'
import * as sqliteSchema from '../../examples/atlas/sqlite-schema.js'
import { atlasFixture } from '../support/atlas.js'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

// Every panel here has modules of its own, and a door that is shared would know the errors of one of them only.
vi.unmock('../../src/http/app.js')

let database: TestDatabase
let fixture: Awaited<ReturnType<typeof atlasFixture>>
const panels: Awaited<ReturnType<typeof panelOver>>[] = []
beforeAll(async () => {
  database = await openDatabase()
  fixture = await atlasFixture()
  // At the same time, as two processes would.
  await Promise.all([seed(database.url), seed(database.url)])
  panels.push(await panelOver(`sqlite:${fixture.path}`), await panelOver(database.url))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  for (const panel of panels) await panel.close()
  fixture?.remove()
  await database?.drop()
})

async function panelOver(url: string) {
  vi.stubEnv('DATABASE_URL', url)
  vi.resetModules()
  const { atlas } = await import('../../examples/atlas/panel.js')
  return atlas(url, { open: true })
}

// When the rows were made differs, and the id of a request; nothing else may.
const plain = (text: string) =>
  text.replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'then').replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'one')

async function both(path: string, init: RequestInit = {}) {
  const answers = panels.map(async (panel) => {
    const headers = { accept: 'application/json', ...init.headers }
    const response = await panel.fetch(new Request(`http://127.0.0.1:3000/admin/resource/${path}`, { ...init, headers }))
    return { status: response.status, body: plain(await response.text()) }
  })
  const [sqlite, postgresql] = await Promise.all(answers)
  if (!sqlite || !postgresql) throw new Error('no panels')
  return { sqlite, postgresql }
}

test.each([
  [postgresqlSchema.countries, sqliteSchema.countries],
  [postgresqlSchema.languages, sqliteSchema.languages],
  [postgresqlSchema.cities, sqliteSchema.cities],
])('the schemas say the same of table %#', (postgresql, sqlite) => {
  const said = (columns: object) =>
    Object.entries(columns).map(([key, { name, notNull, primary, isUnique }]) => [key, name, notNull, primary, isUnique])
  expect(said(getTableColumns(postgresql))).toEqual(said(getTableColumns(sqlite)))
})

describe('the same answers over PostgreSQL', () => {
  test.each([
    'cities/crud',
    'cities/crud?page=4&perPage=100',
    'cities/crud?sort=name,-population&perPage=50',
    'cities/crud?sort=-name&page=100',
    'cities/crud?search=k%C3%B6ln',
    'cities/crud?search=SAN%20jos',
    'cities/crud?query-tag=megacities&include=country',
    'cities/crud?filter[isCapital]=1&filter[population][from]=1000000',
    'cities/crud?filter[name][startsWith]=%C3%96&sort=name',
    'cities/crud?filter[countryId][]=1&filter[countryId][]=9&sort=countryId,name',
    'cities/crud?filter[population]=nonsense',
    'countries/crud?sort=region,name&perPage=100',
    'countries/crud?sort=-area&perPage=100',
    'countries/crud/76',
    'languages/crud?perPage=100',
    'cities/crud/135233',
    'cities/crud/999999',
    'cities/crud/99999999999999999999',
  ])('%s', async (path) => {
    const { sqlite, postgresql } = await both(path)
    expect(sqlite.status).toBeLessThan(500)
    expect(postgresql).toEqual(sqlite)
  })
})

describe('the same pages', () => {
  // Names of fields, tokens and counts of a page are the same; a version is made of moments.
  const bare = (page: string) =>
    page
      .replaceAll(/(?:value|content|data-version)="[\w-]{22,}"/g, '')
      .replaceAll(/\b\d{1,2}\/\d{1,2}\/\d{2,4},? [\d:]+ ?[AP]?M?\b/g, 'then')
  test.each(['cities/crud', 'cities/crud?search=berlin', 'countries/crud?sort=-name', 'languages/crud'])('%s', async (path) => {
    const { sqlite, postgresql } = await both(path, { headers: { accept: 'text/html' } })
    expect(postgresql.status).toBe(200)
    expect(bare(postgresql.body)).toBe(bare(sqlite.body))
  })
  test.each(['cities/form-page', 'cities/form-page/7', 'cities/detail-page/7', 'countries/form-page/76'])('%s is there', async (path) => {
    const { sqlite, postgresql } = await both(path, { headers: { accept: 'text/html' } })
    expect([sqlite.status, postgresql.status]).toEqual([200, 200])
  })
})

test('what is written is there', async () => {
  const [, panel] = panels
  const send = async (method: string, path: string, json?: object) => {
    const init = {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(json && { body: JSON.stringify(json) }),
    }
    const response = await (panel as NonNullable<typeof panel>).fetch(new Request(`http://127.0.0.1:3000/admin/resource/${path}`, init))
    return { status: response.status, json: await response.json() }
  }
  const made = await send('POST', 'cities/crud', { name: 'Neustadt', countryId: 76, population: 5, latitude: 1.5, longitude: -2.25 })
  expect(made).toMatchObject({ status: 201, json: { data: { id: 135_234, name: 'Neustadt', latitude: 1.5 } } })
  expect(await send('PATCH', 'cities/crud/135234', { isCapital: true })).toMatchObject({ status: 200, json: { data: { isCapital: true } } })
  expect(await send('POST', 'countries/crud', { name: 'Again', code: 'DE' })).toMatchObject({
    status: 409,
    json: { errors: { code: ['Code is already taken'] } },
  })
  expect(await send('DELETE', 'countries/crud/1')).toMatchObject({ status: 409 })
  expect(await send('DELETE', 'cities/crud/135234')).toMatchObject({ status: 200 })
})
