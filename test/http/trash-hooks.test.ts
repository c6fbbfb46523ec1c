import { definePanel, defineResource, id, memoryStore, number, refuse, switcher, text, trashResource } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeEach, describe, expect, test } from 'vitest'

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  main: integer({ mode: 'boolean' }).notNull().default(false),
  place: integer().notNull().default(0),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})

let saw: unknown[][]

function open() {
  const Things = defineResource({
    model: memoryStore(things),
    softDelete: 'deletedAt',
    fields: { id: id(), name: text('Name').required(), main: switcher('Main'), place: number('Place') },
    hooks: {
      async beforeSave({ before, find, count }) {
        if (before) saw.push(['beforeSave', (await find(before.id))?.name, await count()])
      },
      async afterSave({ before, after, list, update, create, find }) {
        if (!before) return
        if (after.name === 'stays') refuse('name', 'It stays where it is')
        saw.push(['afterSave', (await find(after.id))?.name])
        if (after.main) {
          for (const other of await list({ where: { main: true } })) if (other.id !== after.id) await update(other.id, { main: false })
        }
        if (after.name === 'shout') await update(after.id, { name: 'SHOUT' })
        if (after.name === 'twin') await create({ name: 'its twin' })
      },
      async beforeDelete({ record, find }) {
        saw.push(['beforeDelete', (await find(record.id))?.name])
      },
      async afterDelete({ record, list, update }) {
        for (const other of await list({ where: { place: { gt: record.place } } })) await update(other.id, { place: other.place - 1 })
      },
    },
  })
  return testPanel(definePanel({ auth: 'open', resources: [Things, trashResource(Things)] }))
}

describe('hooks of records in the trash', () => {
  let app: ReturnType<typeof open>
  beforeEach(() => {
    saw = []
    app = open()
  })
  const restore = (...ids: number[]) => app.post('/admin/resource/things-trash/handler/restore', { ids })
  const drop = (id: number, of = 'things') => app.delete(`/admin/resource/${of}/crud/${id}`)
  const all = async () =>
    ((await app.get('/admin/resource/things/crud?sort=id')).json() as { data: { name: string; main: boolean; place: number }[] }).data.map(
      ({ name, main, place }) => [name, main, place],
    )

  test('a restore runs them with the records that are not in it', async () => {
    for (const [id, main] of [
      [1, true],
      [2, false],
    ] as const)
      await app.create(things, { id, name: `${id}`, main })
    await drop(1)
    await app.put('/admin/resource/things/crud/2', { main: true })
    saw = []
    expect((await restore(1)).status).toBe(200)
    expect(saw).toEqual([
      ['beforeSave', undefined, 1],
      ['afterSave', '1'],
      ['beforeSave', '2', 2],
      ['afterSave', '2'],
    ])
    expect(await all()).toEqual([
      ['1', true, 0],
      ['2', false, 0],
    ])
  })

  test('and they may change the record then, and make others', async () => {
    await app.create(things, { id: 1, name: 'shout' })
    await app.create(things, { id: 2, name: 'twin' })
    for (const id of [1, 2]) await drop(id)
    expect((await restore(1, 2)).status).toBe(200)
    expect((await all()).map(([name]) => name)).toEqual(['SHOUT', 'twin', 'its twin'])
  })

  test('so does a delete for good', async () => {
    for (const id of [1, 2, 3, 4]) await app.create(things, { id, name: `${id}`, place: id })
    await drop(1)
    await drop(2)
    saw = []
    expect((await drop(2, 'things-trash')).status).toBe(200)
    expect(saw.filter(([what]) => what === 'beforeDelete')).toEqual([['beforeDelete', undefined]])
    expect(await all()).toEqual([
      ['3', false, 1],
      ['4', false, 1],
    ])
    expect((await app.delete('/admin/resource/things-trash/crud', { ids: [1] })).status).toBe(200)
  })

  test('of several records, one that cannot be restored is named', async () => {
    for (const id of [1, 2]) await app.create(things, { id, name: id === 2 ? 'stays' : `${id}` })
    for (const id of [1, 2]) await drop(id)
    const says = (text: string) => [422, { detail: text, errors: { name: [text] } }]
    const several = await restore(1, 2)
    expect([several.status, several.json()]).toMatchObject(says('stays: It stays where it is'))
    const one = await restore(2)
    expect([one.status, one.json()]).toMatchObject(says('It stays where it is'))
    const page = await app.html.post(
      '/admin/resource/things-trash/handler/restore',
      new URLSearchParams([
        ['ids[]', '1'],
        ['ids[]', '2'],
      ]),
    )
    expect([page.status, page.text.includes('stays: It stays where it is')]).toEqual([422, true])
    expect(await all()).toEqual([])
  })
})
