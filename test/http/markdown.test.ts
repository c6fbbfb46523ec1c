import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { markdown } from 'daymark/markdown'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const posts = sqliteTable('posts', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  body: varchar(),
  fixed: varchar(),
  secret: varchar(),
})
const body = '# News\n\nA **bold** [word](https://example.com) & <b>markup</b>'
const Posts = defineResource({
  model: memoryStore(posts, [{ id: 1, title: 'One', body, fixed: '_fixed_', secret: '**hidden**' }]),
  fields: {
    id: id(),
    title: text('Title'),
    body: markdown('Body').max(200).rows(9),
    fixed: markdown('Fixed').readOnly(),
    secret: markdown('Secret').visible(['boss']),
  },
  pages: { index: ['id', 'title', 'body'] },
  can: { viewAny: true, view: true, create: ['admin', 'boss'], update: ['admin', 'boss'] },
  handlers: { tell: { label: 'Tell', fields: { words: markdown('Words') }, run: async () => {} } },
  buttons: [{ label: 'Tell', handler: 'tell', on: 'detail' }],
})
const panel = definePanel({ auth: 'open', resources: [Posts] })
const app = testPanel(panel)
const path = '/admin/resource/posts/crud'
const preview = (field: string, words: string, as = app) =>
  as.html.post(`/admin/preview/posts/${field}`, new URLSearchParams({ text: words }))

test('a page shows the text formatted, a list how it begins, JSON and a form the text itself', async () => {
  const page = (await app.html.get(`${path}/1`)).text
  expect(page).toContain(
    '<div class="prose"><h2>News</h2>\n<p>A <strong>bold</strong> <a href="https://example.com" rel="noreferrer">word</a> &amp; &lt;b&gt;markup&lt;/b&gt;</p>\n</div>',
  )
  expect((await app.html.get(path)).text).toContain(
    ' title="News A bold word &amp; &lt;b&gt;markup&lt;/b&gt;">News A bold word &amp; &lt;b&gt;markup&lt;/b&gt;</td>',
  )
  expect((await app.get(`${path}/1`)).json()).toMatchObject({ data: { body } })
  const form = (await app.html.get('/admin/resource/posts/form-page/1')).text
  expect(form).toMatch(/<textarea rows="9" data-characters="200"[^>]*>\n# News\n\nA \*\*bold\*\*/)
  expect(form).toContain('data-preview="/admin/preview/posts/body"')
  // The form of an action belongs to no resource, so nothing could be asked how it looks.
  const asked = (await app.html.post('/admin/resource/posts/handler/tell', new URLSearchParams({ _ask: '1', 'ids[]': '1' }))).text
  expect([asked.includes('class="markdown"'), asked.includes('data-preview')]).toEqual([true, false])
})

test('opening and saving a form changes nothing, and a longer text is refused', async () => {
  expect((await app.put(`${path}/1`, { body: 'x'.repeat(201) })).is('invalid').error.errors.has('body')).toBe(true)
  expect((await app.put(`${path}/1`, { body })).is('saved').row).toBeDefined()
})

test('a preview shows what is typed, to whoever may write it', async () => {
  const shown = await preview('body', '**new** <i>x</i>')
  expect([shown.status, shown.text]).toEqual([200, '<div class="prose"><p><strong>new</strong> &lt;i&gt;x&lt;/i&gt;</p>\n</div>'])
  expect((await preview('body', '')).text).toContain('Nothing to show yet')
  // Also of what would be refused when it is saved: one may be about to shorten it.
  expect((await preview('body', 'x'.repeat(300))).status).toBe(200)
  expect((await preview('fixed', 'x')).status).toBe(403)
  expect((await preview('secret', 'x')).status).toBe(404)
  expect((await preview('secret', '**x**', app.as({ roles: ['boss'] }))).text).toContain('<strong>')
  for (const field of ['title', 'none', '__proto__', '%00']) expect((await preview(field, 'x')).status).toBe(404)
  expect((await preview('body', 'x', app.as({ roles: ['reader'] }))).status).toBe(403)
  expect((await preview('body', 'x', app.as(null))).status).toBe(401)
  const many = await app.html.post('/admin/preview/posts/body', new URLSearchParams({ words: 'x' }))
  expect([many.status, many.text.includes('words')]).toEqual([422, true])
  expect((await app.post('/admin/preview/posts/body', { text: 'x' })).status).toBe(406)
  expect((await app.html.post('/admin/preview/posts/body', new URLSearchParams({ text: 'x'.repeat(2_000_000) }))).status).toBe(413)
})
