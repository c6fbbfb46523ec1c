import { belongsTo, dateTime, definePage, definePanel, defineResource, id, memoryStore, select, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'

const talks = sqliteTable('talks', {
  id: integer('id').primaryKey(),
  title: varchar('title').notNull(),
  topics: varchar('topics', { mode: 'json' }).$type<string[]>(),
  at: integer('at', { mode: 'timestamp_ms' }),
})

function panel() {
  const ran: string[] = []
  const file = (body: string | AsyncIterable<string>) => ({ download: { name: 'a.txt', type: 'text/plain', body } })
  const note = ({ input }: { readonly input: { readonly by: string | null } }) => ran.push(String(input.by))
  async function* inParts() {
    yield 'one and '
    await new Promise((done) => setTimeout(done, 20))
    yield 'two'
  }
  const Talks = defineResource({
    model: memoryStore(talks, [{ id: 1, title: 'First', topics: ['sql'], at: null }]),
    fields: { id: id(), title: text('Title'), topics: select('Topics').options(['sql', 'css', 'html']).multiple(), at: dateTime('At') },
    handlers: {
      note: { fields: { by: text('By') }, run: (context) => void note(context) },
      file: { fields: { by: text('By') }, run: (context) => file(`file ${note(context)}`) },
      stream: {
        fields: { by: text('By') },
        run: (context) => {
          note(context)
          return file(inParts())
        },
      },
    },
    methods: { note: { fields: { by: text('By') }, run: (context) => void note(context) } },
  })
  const desk = definePage({
    uri: 'desk',
    title: 'Desk',
    methods: { note: { fields: { by: text('By') }, run: (context) => void note(context) } },
    components: [],
  })
  const made = definePanel({ auth: 'open', resources: [Talks], pages: [desk], timeZone: 'Europe/Berlin' })
  const ask = (path: string, init: RequestInit = {}) =>
    made.fetch(new Request(new URL(path, 'http://localhost/admin/resource/talks/'), init))
  const post = async (path: string, ...fields: [string, string][]) => {
    const response = await ask(path, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: response.status, location: response.headers.get('location'), html: await response.text() }
  }
  const json = async (path: string) => JSON.parse(await (await ask(path, { headers: { accept: 'application/json' } })).text())
  const hidden = async (path: string, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(await (await ask(path)).text())?.[1] ?? ''
  return { post, json, hidden, ran }
}

describe('a one-time key', () => {
  test('makes one record of two posts, however close, and answers both alike', async () => {
    const { post, json, hidden } = panel()
    const once = await hidden('form-page', '_once')
    const twice = await Promise.all([1, 2].map(() => post('crud', ['_once', once], ['title', 'Once'])))
    const third = await post('crud', ['_once', once], ['title', 'Once'])
    expect(new Set([...twice, third].map(({ status, location }) => `${status} ${location}`))).toEqual(
      new Set(['303 /admin/resource/talks/crud/2']),
    )
    expect((await json('crud')).meta.total).toBe(2)
  })

  test('is not used up by a refusal', async () => {
    const { post, json, hidden } = panel()
    const once = await hidden('form-page', '_once')
    const refused = await post('crud', ['_once', once], ['title', ''])
    expect(refused.status).toBe(422)
    expect(refused.html).toContain(`name="_once" value="${once}"`)
    expect((await post('crud', ['_once', once], ['title', 'Mended'])).status).toBe(303)
    expect((await json('crud')).meta.total).toBe(2)
  })
})

describe('a form that is sent again with other values', () => {
  test('makes no second record unseen, says what it made, and makes another one when it is saved once more', async () => {
    const { post, json, hidden } = panel()
    const once = await hidden('form-page', '_once')
    expect((await post('crud', ['_once', once], ['title', 'Once'])).status).toBe(303)
    const again = await post('crud', ['_once', once], ['title', 'Mended'])
    expect(again.status).toBe(409)
    expect(again.html).toContain('This form has already created Once')
    expect(again.html).toContain('value="Mended"')
    expect((await json('crud')).meta.total).toBe(2)
    const [, next = ''] = /name="_once" value="([^"]*)"/.exec(again.html) ?? []
    expect(next).not.toBe(once)
    expect((await post('crud', ['_once', next], ['title', 'Mended'])).status).toBe(303)
    expect((await json('crud')).meta.total).toBe(3)
  })

  test('does nothing of an action, and asks again', async () => {
    const { post, ran } = panel()
    expect((await post('handler/note', ['_once', 'a'], ['by', '1'])).status).toBe(303)
    const again = await post('handler/note', ['_once', 'a'], ['by', '2'])
    expect([again.status, ran]).toEqual([409, ['1']])
    expect(again.html).toContain('This has already been done')
    expect(again.html).not.toContain('name="_once" value="a"')
  })

  test('is of the records, too, that the URL names', async () => {
    const { post, json, ran } = panel()
    expect((await post('crud', ['title', 'Second'])).status).toBe(303)
    const ids = (await json('crud')).data.map(({ id }: { id: number }) => id)
    const sent = () => Promise.all(ids.map((id: number) => post(`handler/note?ids[]=${id}`, ['_once', 'a'], ['by', '1'])))
    expect((await sent()).map(({ status }) => status)).toEqual([303, 409])
    expect(ran).toEqual(['1'])
  })
})

test.each(['handler/note', '/admin/method/index-page/talks?method=note', '/admin/method/desk?method=note'])(
  'the form of %s acts once, however close it is sent twice',
  async (path) => {
    const { post, ran } = panel()
    const once = /name="_once" value="([^"]*)"/.exec((await post(path, ['_ask', '1'])).html)?.[1] ?? ''
    const send = (by: string) => post(path, ['_once', once], ['by', by])
    const twice = await Promise.all([send('1'), send('1')])
    expect([...twice, await send('1')].map(({ status }) => status)).toEqual([303, 303, 303])
    expect((await send('2')).status).toBe(409)
    expect(ran).toEqual(['1'])
  },
)

test('a one-time key is of one action, and another one of a new record', async () => {
  const { post, json, ran } = panel()
  expect((await post('handler/note', ['_once', 'a'], ['by', '1'])).status).toBe(303)
  expect((await post('handler/file', ['_once', 'a'], ['by', '1'])).html).toBe('file 2')
  expect(ran).toHaveLength(2)
  expect((await post('crud', ['_once', 'action a'], ['title', 'Made'])).status).toBe(303)
  expect((await json('crud')).meta.total).toBe(2)
})

describe('a file that an action makes', () => {
  test('is not kept once it was given, and is made anew for whoever asks again', async () => {
    const { post, ran } = panel()
    const send = () => post('handler/file', ['_once', 'a'], ['by', '1'])
    expect((await Promise.all([send(), send()])).map(({ html }) => html)).toEqual(['file 1', 'file 1'])
    expect((await send()).html).toBe('file 2')
    expect(ran).toHaveLength(2)
  })

  test('is given to one alone where it is made while it is sent', async () => {
    const { post, ran } = panel()
    const send = () => post('handler/stream', ['_once', 'a'], ['by', '1'])
    const [first, second] = await Promise.all([send(), send()])
    expect([first?.status, first?.html, second?.status]).toEqual([200, 'one and two', 409])
    expect(ran).toHaveLength(1)
  })
})

describe('a local time', () => {
  test.each([
    ['that the clocks skip', '2026-03-29T02:30', ['Mar 29, 2026, 1:30 AM', 'Mar 29, 2026, 3:30 AM']],
    [
      'that the clocks show twice',
      '2026-10-25T02:30',
      ['2026-10-25T02:30+02:00 (Oct 25, 2026, 2:30:00 AM GMT+2)', '2026-10-25T02:30+01:00 (Oct 25, 2026, 2:30:00 AM GMT+1)'],
    ],
  ])('%s is refused with both that may be meant, and what was typed is kept', async (_what, typed, offered) => {
    const { post, json } = panel()
    const { status, html } = await post('crud', ['title', 'Kept'], ['at', typed])
    expect(status).toBe(422)
    for (const one of offered) expect(html.replaceAll('&#43;', '+').replaceAll('\u202f', ' ')).toContain(one)
    expect(html).toContain('value="Kept"')
    expect(html).toContain(typed)
    expect((await json('crud')).meta.total).toBe(1)
  })

  test('with its offset is one instant, and comes back as it was written', async () => {
    const { post, json } = panel()
    expect((await post('crud', ['title', 'Late'], ['at', '2026-10-25T02:30+01:00'])).status).toBe(303)
    expect((await json('crud/2')).data.at).toBe('2026-10-25T01:30:00.000Z')
    expect((await post('crud/2', ['_method', 'PUT'], ['at', '2026-10-25T02:30+01:00'])).status).toBe(303)
    expect((await json('crud/2')).data.at).toBe('2026-10-25T01:30:00.000Z')
  })
})

test.each(['9999-12-31T23:59:59.999Z', '0000-06-01T12:00:00.000Z'])(
  'a time at the end of those that can be written, %s, is shown and kept',
  async (at) => {
    const { post, json, hidden } = panel()
    expect((await post('crud', ['title', 'Far'], ['at', at])).status).toBe(303)
    const shown = await hidden('form-page/2', '_was\\[at\\]')
    expect(shown).not.toMatch(/^[+-]|^$/)
    // A control for local times holds neither.
    expect((await post('crud/2', ['_method', 'PUT'], ['title', 'Farther'], ['at', shown])).status).toBe(303)
    expect((await json('crud/2')).data).toMatchObject({ title: 'Farther', at })
  },
)

test('a conflict over several values offers both lists, and saves the one that is picked', async () => {
  const { post, json, hidden } = panel()
  const version = await hidden('form-page/1', '_version')
  expect((await post('crud/1', ['_method', 'PUT'], ['_version', version], ['topics', ''], ['topics', 'css'])).status).toBe(303)
  const stale = await post(
    'crud/1',
    ['_method', 'PUT'],
    ['_version', version],
    ['title', 'Mine'],
    ['topics', ''],
    ['topics', 'sql'],
    ['topics', 'html'],
  )
  expect(stale.status).toBe(412)
  const offered = [...stale.html.matchAll(/name="_text\[topics\]" value="([^"]*)"/g)].map(
    ([, value]) => value?.replaceAll('&quot;', '"') ?? '',
  )
  expect(offered).toEqual(['["sql","html"]', '["css"]'])
  const now = /name="_version" value="([^"]*)"/.exec(stale.html)?.[1] ?? ''
  expect(
    (await post('crud/1', ['_method', 'PUT'], ['_version', now], ['_text[title]', 'Mine'], ['_text[topics]', offered[0] ?? ''])).status,
  ).toBe(303)
  expect((await json('crud/1')).data).toMatchObject({ title: 'Mine', topics: ['sql', 'html'] })
})

test('a conflict may be ended by keeping all that one typed', async () => {
  const { post, json, hidden } = panel()
  const version = await hidden('form-page/1', '_version')
  await post('crud/1', ['_method', 'PUT'], ['title', 'Theirs'], ['topics', ''], ['topics', 'css'])
  const stale = await post('crud/1', ['_method', 'PUT'], ['_version', version], ['title', 'Mine'], ['topics', ''], ['topics', 'html'])
  const mine = [...stale.html.matchAll(/name="(_mine\[\w+\])" value="([^"]*)"/g)].map(([, name, value]): [string, string] => [
    name ?? '',
    value?.replaceAll('&quot;', '"') ?? '',
  ])
  const now = /name="_version" value="([^"]*)"/.exec(stale.html)?.[1] ?? ''
  const kept = await post(
    'crud/1',
    ['_method', 'PUT'],
    ['_version', now],
    ['_pick', 'mine'],
    ['_text[title]', 'Theirs'],
    ['_text[topics]', '["css"]'],
    ...mine,
  )
  expect(kept.status).toBe(303)
  expect((await json('crud/1')).data).toMatchObject({ title: 'Mine', topics: ['html'] })
})

describe('Enter in a form', () => {
  const world = () => {
    const countries = sqliteTable('countries', { id: integer('id').primaryKey(), name: varchar('name').notNull() })
    const cities = sqliteTable('cities', {
      id: integer('id').primaryKey(),
      name: varchar('name').notNull(),
      countryId: integer('country_id'),
    })
    const made = definePanel({
      auth: 'open',
      resources: [
        defineResource({ model: memoryStore(countries, [{ id: 7, name: 'France' }]) }),
        defineResource({
          model: memoryStore(cities),
          fields: { id: id(), name: text('Name'), countryId: belongsTo('Country', countries) },
        }),
      ],
    })
    return async (fields: Record<string, string>) => {
      const response = await made.fetch(
        new Request('http://localhost/admin/resource/cities/crud', { method: 'POST', body: new URLSearchParams(fields) }),
      )
      return { status: response.status, html: await response.text() }
    }
  }
  test('searches where a new question was typed, and keeps what else was', async () => {
    const { status, html } = await world()({ name: 'Lyon', countryId: '', '_query[countryId]': 'fra', '_asked[countryId]': '' })
    expect(status).toBe(200)
    expect(html).toContain('value="Lyon"')
    expect(html).toMatch(/name="countryId" value="7"> <span>France/)
  })
  test('saves where the question is the one that was answered, and by its button in any case', async () => {
    const ask = world()
    expect((await ask({ name: 'Lyon', countryId: '7', '_query[countryId]': 'fra', '_asked[countryId]': 'fra' })).status).toBe(303)
    expect((await ask({ name: 'Nice', countryId: '7', '_query[countryId]': 'fra', '_asked[countryId]': '', _save: '1' })).status).toBe(303)
  })
})

describe('what somebody else changed meanwhile', () => {
  test('is not undone where one did not touch it: theirs is picked there, mine where one did', async () => {
    const { post, hidden } = panel()
    const version = await hidden('form-page/1', '_version')
    await post('crud/1', ['_method', 'PUT'], ['title', 'Theirs'], ['topics', ''], ['topics', 'css'])
    // A whole form, as a browser sends it: only the topics were touched.
    const stale = await post(
      'crud/1',
      ['_method', 'PUT'],
      ['_version', version],
      ['title', 'First'],
      ['_was[title]', 'First'],
      ['topics', ''],
      ['topics', 'html'],
      ['_was[topics]', '["sql"]'],
    )
    expect(stale.status).toBe(412)
    const picked = [...stale.html.matchAll(/name="_text\[(\w+)\]" value="([^"]*)" checked/g)].map(([, name, value]) => [name, value])
    expect(picked).toEqual([
      ['title', 'Theirs'],
      ['topics', '[&quot;html&quot;]'],
    ])
  })

  test.each([
    ['a refusal', ['title', ''], 422],
    ['a search for a related record', ['_search', 'title'], 200],
  ] as const)('is still a conflict after %s: the form stays that of the version which was opened', async (_what, field, status) => {
    const { post, hidden } = panel()
    const version = await hidden('form-page/1', '_version')
    const again = await post('crud/1', ['_method', 'PUT'], ['_version', version], [...field])
    expect(again.status).toBe(status)
    expect(again.html).toContain(`name="_version" value="${version}"`)
    await post('crud/1', ['_method', 'PUT'], ['title', 'Theirs'])
    const searched = await post('crud/1', ['_method', 'PUT'], ['_version', version], ['_search', 'title'])
    expect(searched.html).toContain(`name="_version" value="${version}"`)
    expect((await post('crud/1', ['_method', 'PUT'], ['_version', version], ['title', 'Mine'])).status).toBe(412)
  })
})
