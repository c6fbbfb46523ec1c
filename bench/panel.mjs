// A panel with one resource, posts. Every column can be filtered and sorted, and all but the key written.

import { dateTime, definePanel, defineResource, id, number, switcher, text, textarea } from 'daymark'
import { authenticateApi, jwtAuth } from 'daymark/jwt'
import { isPostgres, postsTable } from './posts.mjs'

/** @param database if it is not just the file's path */
export async function postsPanel(path, settings = {}, database = isPostgres(path) ? path : `sqlite:${path}`) {
  // Only loads what the database needs.
  const posts = isPostgres(path) ? (await import('./posts-postgres.mjs')).postsInPostgres : postsTable(path)
  const time = (column) => (column.dataType === 'date' ? dateTime() : text()).sortable()
  const fields = {
    id: id().sortable(),
    title: text().max(200).sortable().searchable(),
    slug: text().max(200).sortable(),
    body: textarea().sortable().searchable(),
    status: text().max(20).sortable(),
    views: number().sortable(),
    price: number().sortable(),
    is_active: switcher().sortable(),
    author_id: number().sortable(),
    created_at: time(posts.created_at),
    updated_at: time(posts.updated_at),
  }
  const all = Object.keys(fields)
  const resource = defineResource({ model: posts, title: 'Posts', fields, pages: { index: all }, filters: all, ...settings })
  // With JWT_SECRET set, requests need a token of the user `bench`.
  const auth = process.env.JWT_SECRET
    ? { middleware: [], auth: { middleware: authenticateApi(), pipelines: [jwtAuth()] } }
    : { auth: 'open' }
  return definePanel({ title: 'Bench', ...auth, database, resources: [resource] })
}
