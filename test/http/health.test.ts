import { definePanel, type Panel } from 'daymark'
import { afterEach, expect, test } from 'vitest'

let panel: Panel
afterEach(() => panel.close())
const status = async (url: string) => (await panel.fetch(new Request(url, { headers: { accept: 'application/json' } }))).status

test('health answers whatever the host, nothing else does', async () => {
  panel = definePanel({ database: 'sqlite::memory:', url: 'https://panel.example', resources: [] })
  expect(await status('http://10.0.0.5:3000/admin/health')).toBe(200)
  for (const path of ['/admin', '/admin/login', '/admin/health/more', '/admin/nothing', '/health'])
    expect([path, await status(`http://10.0.0.5:3000${path}`)]).toEqual([path, 421])
})

test('an open panel is for its own machine in this, too', async () => {
  panel = definePanel({ auth: 'open', resources: [] })
  expect(await status('http://10.0.0.5:3000/admin/health')).toBe(421)
  expect(await status('http://127.0.0.1:3000/admin/health')).toBe(200)
})
