import { belongsTo, definePanel, defineResource, id, memoryStore, number, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeEach, describe, expect, test } from 'vitest'

const makers = sqliteTable('makers', { id: integer().primaryKey(), name: varchar().notNull() })
const parts = sqliteTable('parts', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  price: integer(),
  code: varchar(),
  other: varchar(),
  sign: varchar(),
  hidden: varchar(),
  makerId: integer().references(() => makers.id),
})

interface Told {
  readonly status: number
  readonly body: { readonly data?: object; readonly errors?: Record<string, readonly string[]> }
}

describe('columns of a file that are called otherwise', () => {
  let panel: ReturnType<typeof definePanel>
  beforeEach(async () => {
    const Parts = defineResource({
      model: memoryStore(parts),
      fields: {
        id: id(),
        name: text('Name').required(),
        price: number('Price'),
        // Two of one label, of which the second is named by its key.
        code: text('Code'),
        other: text('Code'),
        sign: text('#'),
        hidden: text('Hidden').visible(['keeper']),
        makerId: belongsTo('Maker', makers),
      },
      import: true,
    })
    const Makers = defineResource({ model: memoryStore(makers), column: 'name' })
    panel = definePanel({ database: 'sqlite::memory:', resources: [Parts, Makers] })
    await testPanel(panel)
      .as({ id: '1', name: 'A', roles: ['admin'] })
      .post('/admin/resource/makers/crud', { name: 'Acme' })
  })

  const app = (roles = ['admin']) => testPanel(panel).as({ id: '1', name: 'A', roles })
  const form = (csv: string, more: Record<string, string>) => {
    const made = new FormData()
    made.append('file', new File([csv], 'a.csv'))
    for (const [name, value] of Object.entries(more)) made.append(name, value)
    return made
  }
  const sent = async (csv: string, more: Record<string, string> = {}): Promise<Told> => {
    const answer = await app().post('/admin/resource/parts/import', form(csv, more))
    return { status: answer.status, body: answer.json() as Told['body'] }
  }
  const stored = async () => {
    const { data } = (await app(['admin', 'keeper']).get('/admin/resource/parts/crud?sort=id')).json() as {
      data: Record<string, unknown>[]
    }
    return data.map(({ id: _, ...rest }) => Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)))
  }

  test('are named by their numbers, by label, by name or by the key of a relation, or are left out', async () => {
    const csv = 'Titel,Preis,Farbe,Firma\nNut,2,red,Acme\n'
    const named = { 'column[1]': 'Name', 'column[2]': 'price', 'column[3]': '', 'column[4]': 'Maker' }
    expect((await sent(csv)).status).toBe(422)
    const told = await sent(csv, { ...named, check: '1' })
    expect([told.status, told.body.data]).toMatchObject([200, { created: 1, ignored: ['Farbe'], checked: true }])
    expect((await sent(csv, named)).status).toBe(200)
    expect(
      (await sent('Titel,Firma,Code\nBolt,1,x\n', { 'column[1]': 'name', 'column[2]': 'Maker (key)', 'column[3]': 'other' })).status,
    ).toBe(200)
    expect(await stored()).toEqual([
      { name: 'Nut', price: 2, makerId: 1 },
      { name: 'Bolt', makerId: 1, other: 'x' },
    ])
  })

  test('a known one can be another, one without a name can have one, and a key as well', async () => {
    expect((await sent('Name,Price,\nNut,Bolt,7\n', { 'column[1]': 'code', 'column[2]': 'Name', 'column[3]': 'price' })).status).toBe(200)
    expect(await stored()).toEqual([{ name: 'Bolt', price: 7, code: 'Nut' }])
    const { data } = (await app().get('/admin/resource/parts/crud')).json() as { data: { id: number }[] }
    const told = await sent(`Nr,Name\n${data[0]?.id},Screw\n`, { mode: 'update', 'column[1]': 'ID' })
    expect([told.status, told.body.data]).toMatchObject([200, { updated: 1 }])
    // Left out, it has no need of a name.
    const unnamed = await sent('Name,\nNut,7\n', { 'column[2]': '' })
    expect([unnamed.status, unnamed.body.data]).toMatchObject([200, { created: 1, ignored: [] }])
  })

  test.each<[string, Record<string, string>, string, string]>([
    ['a field that is not there', { 'column[2]': 'nope' }, 'file', 'There is no column “Preis”'],
    [
      'one that the user does not see',
      { 'column[2]': 'hidden' },
      'file',
      'There is no column “Preis”. Valid: Name, Price, Code, Code, #, Maker',
    ],
    ['two for one field', { 'column[2]': 'name' }, 'file', 'There are two columns for Name'],
    ['what a record needs is left out', { 'column[1]': '', 'column[2]': 'price' }, 'file', 'The file has no column Name'],
    ['a column that the file has not', { 'column[3]': 'price', 'column[2]': 'price' }, 'file', 'There is no column 3: the file has 2'],
    ['column 0', { 'column[0]': 'price' }, 'column[0]', 'column[0]'],
    ['a number that is none', { 'column[1e3]': 'price' }, 'column[1e3]', 'column[1e3]'],
  ])('%s is refused, and nothing is written', async (_, more, field, text) => {
    const { status, body } = await sent('Name,Preis\nNut,2\n', more)
    expect([status, Object.keys(body.errors ?? {}), body.errors?.[field]?.join(' ')]).toEqual([422, [field], expect.stringContaining(text)])
    expect(await stored()).toEqual([])
  })

  test('what was said of a file with other columns says nothing of this one', async () => {
    const page = await app().html.post('/admin/resource/parts/import', form('Titel,Preis\nNut,2\n', {}))
    const [, mark = ''] = /name="_columns" value="([^"]+)"/.exec(page.text) ?? []
    expect(mark).not.toBe('')
    const said = { 'column[1]': 'price', 'column[2]': 'name', _columns: mark }
    expect((await sent('Name,Price\nNut,2\n', said)).status).toBe(200)
    expect((await sent('Titel,Preis\n3,Bolt\n', said)).status).toBe(200)
    expect(await stored()).toEqual([
      { name: 'Nut', price: 2 },
      { name: 'Bolt', price: 3 },
    ])
  })

  test('the page offers what the user may import, with the first value of each column, escaped', async () => {
    const { text: page } = await app().html.post('/admin/resource/parts/import', form('"<b>","Hid-den"\n"",""\n"<i>",x\n', {}))
    expect(page).toContain('<th scope="row">&lt;b&gt;</th><td>&lt;i&gt;</td>')
    expect(page).not.toContain('<option value="Hidden"')
    expect(page).toContain('<option value="Code">Code</option><option value="other">Code (other)</option>')
    const keeper = await app(['admin', 'keeper']).html.post('/admin/resource/parts/import', form('Hid-den\nx\n', {}))
    // As it may be meant, since only the sign differs.
    expect(keeper.text).toContain('<option value="Hidden" selected>Hidden</option>')
    // Where nothing is unclear, the choices are folded.
    expect((await app().html.post('/admin/resource/parts/import', form('%,\nx,y\n', {}))).text).not.toMatch(/<option value="#" selected>/)
    const clear = await app().html.post('/admin/resource/parts/import', form('Name,Price\nNut,x\n', {}))
    expect(clear.text).toContain('<details class="card assigned"><summary>')
    // Where the choices themselves are wrong, they are not.
    for (const said of [{ 'column[2]': 'name' }, { 'column[1]': '' }] as Record<string, string>[]) {
      const refused = await app().html.post('/admin/resource/parts/import', form('Name,Price\nNut,2\n', said))
      expect(refused.text).toContain('<details class="card assigned" open>')
    }
    // A column without a name is no more left out by doing nothing than one with another name; one that is empty is nothing to ask about.
    const unnamed = await app().html.post('/admin/resource/parts/import', form('Name,,\nNut,7,\n', {}))
    expect(unnamed.text).toContain('<details class="card assigned" open>')
    expect(unnamed.text).toMatch(/name="column\[2\]"[^>]*aria-invalid="true"><option value=" " selected>Choose/)
    expect(unnamed.text).toMatch(/name="column\[3\]"[^>]*><option value="" selected>Leave out/)
    expect((await sent('Name,,\nNut,7,\n', { 'column[2]': ' ', 'column[3]': '' })).body.errors).toEqual({ file: ['Column 2 has no name'] })
    expect(await stored()).toEqual([])
    // What was said of a column that is not there leaves the form.
    const beyond = await app().html.post('/admin/resource/parts/import', form('Name\nNut\n', { 'column[9]': 'Name' }))
    expect([beyond.status, beyond.text.includes('id="import-form"')]).toEqual([422, true])
    // What cannot be read has no columns.
    expect((await app().html.post('/admin/resource/parts/import', form('"Name\n', {}))).text).not.toContain('assigned')
  })

  test('a name without an end is shown by its beginning, also where it is left out', async () => {
    const csv = `Name,${'endless '.repeat(10_000)}\nNut,1\n`
    const { text: page } = await app().html.post('/admin/resource/parts/import', form(csv, {}))
    expect(page).toMatch(/<th scope="row">(?:endless ){12}endl&#8230;<\/th>/)
    expect(page.length).toBeLessThan(50_000)
    expect((await sent(csv, { 'column[2]': '' })).body.data).toMatchObject({ ignored: [expect.stringMatching(/^(?:endless ){12}endl…$/)] })
  })
})
