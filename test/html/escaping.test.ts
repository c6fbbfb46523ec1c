import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { date, definePanel, defineResource, email, id, json, number, type Panel, select, text, textarea, url } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const texts = ['line', 'area', 'choice', 'day', 'mail', 'link'] as const
const samples = sqliteTable('samples', {
  key: varchar('key').primaryKey(),
  line: varchar('line'),
  area: varchar('area'),
  choice: varchar('choice'),
  day: varchar('day'),
  mail: varchar('mail'),
  link: varchar('link'),
  data: varchar('data', { mode: 'json' }).$type<unknown>(),
  count: integer('count'),
})

const hostileLabel = `"><script>l</script><b x='`
const Samples = defineResource({
  model: samples,
  title: hostileLabel,
  column: 'line',
  fields: {
    key: id(hostileLabel),
    line: text(hostileLabel).searchable().sortable().hint(hostileLabel).placeholder(hostileLabel),
    area: textarea(hostileLabel),
    choice: select(hostileLabel).options({ a: hostileLabel }),
    day: date(hostileLabel),
    mail: email(hostileLabel),
    link: url(hostileLabel),
    data: json(hostileLabel),
    count: number(hostileLabel),
  },
  pages: { index: ['key', 'line', 'area', 'choice', 'day', 'mail', 'link', 'data', 'count'] },
  filters: ['line', 'count'],
  queryTags: { tag: { label: hostileLabel, where: { count: { gte: 0 } } } },
})

const folder = mkdtempSync(join(tmpdir(), 'daymark-'))
const db = new Sqlite(join(folder, 'samples.db'))
let panel: Panel

beforeAll(() => {
  db.exec(
    'CREATE TABLE samples (key TEXT PRIMARY KEY, line TEXT, area TEXT, choice TEXT, day TEXT, mail TEXT, link TEXT, data TEXT, count INTEGER)',
  )
  panel = definePanel({
    title: hostileLabel,
    auth: 'open',
    database: `sqlite:${join(folder, 'samples.db')}`,
    resources: [Samples],
    log: () => {},
  })
})
afterAll(async () => {
  await panel.close()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const host = 'http://127.0.0.1'
const base = '/admin/resource/samples'

/** A page's tags with the names of their attributes and where its links lead by scheme: all that a text could change by escaping into markup. */
async function skeleton(path: string, init?: RequestInit): Promise<string> {
  const answer = await panel.fetch(new Request(host + path, { ...init, headers: { accept: 'text/html', ...init?.headers } }))
  const page = await answer.text()
  const tags = [...page.matchAll(/<(\/?[a-z][a-z0-9]*|!doctype)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)\s*\/?>/gi)]
  // Whatever is left after the tags is text: it may hold no bracket of its own.
  expect(page.replace(/<(?:\/?[a-z][a-z0-9]*|!doctype)(?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*\s*\/?>/gi, '')).not.toMatch(/[<>]/)
  return tags
    .map(
      ([, name = '', bag = '']) =>
        `${name} ${[...bag.matchAll(/([^\s"'<>/=]+)(?:="([^"]*)")?/g)].map(([, key, value = '']) => `${key}${schemeOf(key ?? '', value)}`)}`,
    )
    .join('\n')
}

function schemeOf(key: string, value: string): string {
  return /^(?:href|src|action|formaction)$/.test(key) ? (/^\s*([a-z][a-z0-9+.-]*):/i.exec(value)?.[1] ?? '') : ''
}

function store(key: string, value: string): void {
  db.exec('DELETE FROM samples')
  const insert = db.prepare(
    'INSERT INTO samples (key, line, area, choice, day, mail, link, data, count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)',
  )
  insert.run(key, ...texts.map(() => value), JSON.stringify(value))
}

const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  body: new URLSearchParams(fields).toString(),
})

const pages: Readonly<Record<string, (key: string, value: string) => Promise<string>>> = {
  listing: () => skeleton(`${base}/crud`),
  'a search': (_, value) =>
    skeleton(`${base}/crud?search=${encodeURIComponent(value)}&filter[line][contains]=${encodeURIComponent(value)}`),
  'a wrong address': (_, value) => skeleton(`${base}/crud?sort=${encodeURIComponent(value.replaceAll(',', ''))}`),
  detail: (key) => skeleton(`${base}/crud/${encodeURIComponent(key)}`),
  form: (key) => skeleton(`${base}/form-page/${encodeURIComponent(key)}`),
  'a duplicate': (key) => skeleton(`${base}/form-page?duplicate=${encodeURIComponent(key)}`),
  'a refused form': (key, value) =>
    skeleton(`${base}/crud/${encodeURIComponent(key)}`, form({ _method: 'PUT', count: `${value}x`, line: `${value}y` })),
  'a stale form': (key, value) =>
    skeleton(`${base}/crud/${encodeURIComponent(key)}`, form({ _method: 'PUT', _version: 'old', line: `${value}y` })),
  'a question': (key) => skeleton(`${base}/crud/${encodeURIComponent(key)}`, form({ _method: 'DELETE' })),
  'no such record': (_, value) => skeleton(`${base}/crud/${encodeURIComponent(`no${value}`)}`),
}

// A text of the same length without anything that could mean something.
const harmless = (value: string) => value.replace(/[^a-z]/g, 'x')
const hostile = fc
  .oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onmouseover='alert(1)",
      '</textarea><script>1</script>',
      '</title><svg onload=alert(1)>',
      '&lt;b&gt; & &#x3c;i&#x3e;',
      'javascript:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,<script>1</script>',
      '<!--',
      '-->',
      ']]>',
      '$&',
      '{row-id}',
    ),
    fc.string({ unit: fc.constantFrom(...'<>"\'&=/`;:() abc\u2028\u202e') }),
  )
  // A search of spaces is none, and a key may not be empty.
  .map((text) => `k${text.trim()}k`)

describe.each(Object.keys(pages))('%s', (name) => {
  test('a hostile text makes the same markup as a harmless one', async () => {
    const make = pages[name] as (key: string, value: string) => Promise<string>
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        store(value, value)
        const given = await make(value, value)
        const plain = harmless(value)
        store(plain, plain)
        expect(given).toBe(await make(plain, plain))
      }),
      { numRuns: 40 },
    )
  })
})

test('the comparison would see a tag, an attribute and a scheme', async () => {
  store('a', 'a')
  const plain = await skeleton(`${base}/crud`)
  store('a', 'https://example.com/')
  expect(await skeleton(`${base}/crud`)).not.toBe(plain)
})
