import { date, dateTime, definePanel, defineResource, id, memoryStore, number, switcher, text } from 'daymark'
import { oag } from 'daymark/oag'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const claims = sqliteTable('claims', { id: integer().primaryKey() })
const { post, html, get } = testPanel(
  definePanel({
    auth: 'open',
    plugins: [oag()],
    resources: [
      defineResource({
        model: { ...memoryStore(), table: claims },
        fields: { id: id() },
        handlers: {
          refund: {
            fields: {
              why: text('Why'),
              force: switcher('Force').visible(['boss']),
              limit: number('Limit').required().default(5).editable(['boss']),
              cap: number('Cap').default(7).readOnly(),
            },
            run: ({ input }) => JSON.stringify(input),
          },
        },
      }),
    ],
  }),
)
const refund = '/admin/resource/claims/handler/refund'

test('a field of a form that the caller may not fill in has its default, whatever is sent', async () => {
  const kept = { force: null, limit: 5, cap: 7 }
  expect((await post(refund, { why: 'late' })).json()).toMatchObject({ message: JSON.stringify({ why: 'late', ...kept }) })
  for (const name of ['force', 'limit', 'cap', 'nope']) {
    const answer = await post(refund, { [name]: true })
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({ errors: { [name]: [`Unknown field "${name}". Valid: why`] } })
    expect((await html.post(refund, new URLSearchParams({ [name]: '1' }))).status).toBe(422)
  }
  const page = (await html.post(refund, new URLSearchParams({ _ask: '1' }))).text
  expect(page).toContain('name="why"')
  for (const name of ['force', 'limit', 'cap']) expect(page).not.toContain(`name="${name}"`)
})

test('a day comes as a text, and a time as a Date, as their types say', async () => {
  let came: unknown
  const Dated = defineResource({
    model: { ...memoryStore(), table: claims },
    fields: { id: id() },
    handlers: {
      close: {
        fields: { day: date('Day').required(), at: dateTime('At') },
        run({ input }) {
          const day: string = input.day
          const at: Date | null = input.at
          came = { day, at }
        },
      },
    },
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Dated] }))
  const close = '/admin/resource/claims/handler/close'
  expect((await app.post(close, { day: '2026-01-31', at: '2026-01-31T10:00:00+01:00' })).status).toBe(200)
  expect(came).toEqual({ day: '2026-01-31', at: new Date('2026-01-31T09:00:00Z') })
  expect((await app.html.post(close, new URLSearchParams({ day: '2026-02-01', at: '', _zone: 'UTC' }))).status).toBe(303)
  expect(came).toEqual({ day: '2026-02-01', at: null })
})

test('the document has the fields that somebody may fill in', async () => {
  const document = JSON.stringify((await get('/oag.json')).json())
  for (const label of ['Why', 'Force', 'Limit']) expect(document).toContain(`"title":"${label}"`)
  expect(document).not.toContain('"title":"Cap"')
})

test('one that is required of those who are asked needs a default for the others', () => {
  const Claims = defineResource({
    model: { ...memoryStore(), table: claims },
    fields: { id: id() },
    handlers: { refund: { fields: { limit: number().required().editable(['boss']) }, run: () => 'done' } },
  })
  expect(() => definePanel({ auth: 'open', resources: [Claims] })).toThrow(/handler-unasked.*give it a `default`/s)
})
