import { definePanel, defineResource } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../../src/http/node.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: text().notNull() })
const panelAt = (panel: string, url?: string) =>
  definePanel({
    auth: 'open',
    database: 'sqlite::memory:',
    resources: [defineResource({ model: notes })],
    prefix: { panel },
    ...(url && { url }),
  })

describe('a panel on a port of its own', () => {
  const panel = panelAt('back-office')
  let listening: Listening
  beforeAll(async () => {
    listening = await panel.listen({ port: 0 })
  })
  afterAll(async () => {
    await listening.close()
    await panel.close()
  })
  const ask = (path: string, accept: string, method = 'GET') =>
    fetch(`${listening.url}${path}`, { method, headers: { accept }, redirect: 'manual' })

  it.each([
    ['/', 'GET'],
    ['/?utm=1', 'GET'],
    ['/', 'HEAD'],
  ])('leads a browser that asks for %s by %s to the panel', async (path, method) => {
    const answer = await ask(path, 'text/html', method)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/back-office')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-type')).toBeNull()
    expect(await answer.text()).toBe('')
  })

  it.each([
    ['a program', '/', 'application/json', 'GET'],
    ['whoever asks for something else', '/elsewhere', 'text/html', 'GET'],
    ['who would write', '/', 'text/html', 'POST'],
  ])('tells %s that there is nothing', async (_, path, accept, method) => {
    const answer = await ask(path, accept, method)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('location')).toBeNull()
  })

  it('says nothing of what stands beside it in a server of somebody else', async () => {
    expect((await panel.fetch(new Request('http://localhost/', { headers: { accept: 'text/html' } }))).status).toBe(404)
  })
})

it.each(['/', '/office', '/office/', '/office?utm=1'])(
  'behind a proxy that leaves the path of its url, %s leads to the panel',
  async (path) => {
    const panel = panelAt('admin', 'http://localhost:4321/office')
    const listening = await panel.listen({ port: 0 })
    const ask = (path: string) =>
      fetch(`${listening.url.replace(/\/office$/, '')}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' })
    try {
      const answer = await ask(path)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/office/admin'])
      expect((await ask('/office/admin')).status).toBe(200)
      expect((await ask('/office/elsewhere')).status).toBe(404)
    } finally {
      await listening.close()
      await panel.close()
    }
  },
)

it('stays where it is where the panel itself is at the front', async () => {
  const panel = panelAt('')
  const { url, close } = await panel.listen({ port: 0 })
  try {
    const answer = await fetch(`${url}/`, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect(answer.status).not.toBe(404)
    expect(answer.headers.get('location')).not.toBe('/')
  } finally {
    await close()
    await panel.close()
  }
})
