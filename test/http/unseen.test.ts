import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { oag } from 'daymark/oag'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull(), note: varchar(), by: varchar() })

/** A panel in which everybody may write what they may not view. */
async function world(unseen: object) {
  const store = memoryStore()
  const Notes = defineResource({
    model: { ...store, table: notes },
    fields: { id: id(), name: text('Name'), note: text('Note'), by: text('By').editable(false) },
    computed: { loud: { label: 'Loud', needs: ['name'], value: ({ name }) => String(name).toUpperCase() } },
    handlers: { drop: { ability: 'delete' as const, confirm: 'Really?', run: async () => 'dropped' } },
    ...unseen,
  })
  await store.transaction(async (tx) => {
    await tx.create(Notes.model, { id: 1, name: 'SWORDFISH', note: 'mine', by: 'SWORDFISH' })
  })
  return testPanel(definePanel({ auth: 'open', resources: [Notes], plugins: [oag({ title: 'Notes' })] }))
}

const base = '/admin/resource/notes'
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const stale = { headers: { 'if-match': '"x"' } }

test.each<[what: string, unseen: object]>([
  ['a policy', { can: { view: false, viewAny: false } }],
  ['a policy for the record', { canRecord: { view: () => false }, scope: () => ({}) }],
])('who may not view a record by %s is told no more of it than they write', async (_, unseen) => {
  const app = await world({ ...unseen, pages: { form: ['note', 'by'] } })
  const nothing = async (answer: Awaited<ReturnType<typeof app.get>>, status: number) => {
    expect(answer.status).toBe(status)
    expect(/swordfish/i.test(answer.text)).toBe(false)
    return answer
  }
  await nothing(await app.get(`${base}/crud/1`), 403)
  const same = await nothing(await app.put(`${base}/crud/1`, {}), 200)
  expect(same.json()).toMatchObject({ data: { id: 1, note: 'mine' } })
  expect(Object.keys((same.json() as { data: object }).data)).toEqual(['id', 'note'])
  for (const answer of [
    await app.put(`${base}/crud/1`, { note: 'other' }, stale),
    await app.delete(`${base}/crud/1`, undefined, stale),
    await app.put('/admin/update-field/column/notes/1', { field: 'note', value: 'x', was: 'guess' }),
  ]) {
    await nothing(answer, 412)
    expect(answer.json()).not.toHaveProperty('data')
    expect(answer.headers.get('etag')).toBeNull()
  }
  // Neither a right guess nor a wrong one is told from the other.
  for (const [field, guesses] of [
    ['by', ['SWORDFISH', 'guess']],
    ['loud', ['SWORDFISH', 'GUESS']],
  ] as const)
    for (const ask of [
      (value: string) => app.put(`${base}/crud/1`, { [field]: value }),
      (value: string) => app.post(`${base}/validate/1`, { [field]: value }),
      (value: string) => app.put('/admin/update-field/column/notes/1', { field, value, was: value }),
    ]) {
      const [right, wrong] = [await ask(guesses[0]), await ask(guesses[1])].map((answer) => {
        expect(answer.status).toBe(422)
        return { ...(answer.json() as object), requestId: null }
      })
      expect(right).toEqual(wrong)
    }
  const tag = same.headers.get('etag') as string
  await nothing(await app.put(`${base}/crud/1`, { note: 'ours' }, { headers: { 'if-match': tag } }), 200)
  await nothing(await app.put(`${base}/crud/1`, { note: 'late' }, { headers: { 'if-match': tag } }), 412)
  await nothing(await app.get(`${base}/form-page/1`), 200)
  await nothing(await app.html.get(`${base}/form-page/1`), 200)
  await nothing(await app.html.put(`${base}/crud/1`, form({ note: 'z', _version: 'x' })), 412)
  const asked = await nothing(await app.html.post(`${base}/handler/drop`, form({ _ask: '1', 'ids[]': '1' })), 200)
  expect(asked.text).toContain('Really?')
  const confirm = await nothing(await app.post(`${base}/crud/1`, form({ _method: 'DELETE' })), 200)
  expect(confirm.json()).toMatchObject({ data: { labels: ['1'] } })
})

test('what nobody has forbidden is told to who writes it, page or no page', async () => {
  const app = await world({ activeActions: ['update', 'delete'] })
  const answer = await app.put(`${base}/crud/1`, { note: 'other' }, stale)
  expect(answer.json()).toMatchObject({ data: { id: 1, name: 'SWORDFISH' } })
  expect(answer.headers.get('etag')).not.toBeNull()
})
