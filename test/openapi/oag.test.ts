import { definePanel, defineResource, html, memoryStore } from 'daymark'
import { type OagOptions, oag } from 'daymark/oag'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../auth/world.js'

const things = sqliteTable('things', { id: integer().primaryKey(), name: text().notNull() })

function panelWith(options: OagOptions | null, more: object = {}) {
  const resources = [defineResource({ model: memoryStore(things) })]
  const panel = definePanel({ auth: 'open', resources, plugins: options ? [oag(options)] : [], ...more })
  return async (path: string, accept = 'text/html', headers: Record<string, string> = {}) => {
    const response = await panel.fetch(new Request(`http://127.0.0.1:3000${path}`, { headers: { accept, ...headers } }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

describe('the documentation of a panel', () => {
  it('is JSON whatever is accepted, with an ETag', async () => {
    const ask = panelWith({})
    for (const accept of ['text/html', 'application/json', '*/*', 'image/png']) {
      const { status, headers, text } = await ask('/oag.json', accept)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('application/json')
      expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.1', info: { title: 'Docs', version: '1.0.0' } })
    }
    const etag = (await ask('/oag.json')).headers.get('etag') ?? ''
    expect(await ask('/oag.json', '*/*', { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
  })

  it('names a licence if it is told one, and nothing empty', async () => {
    expect(JSON.parse((await panelWith({})('/oag.json')).text).info).not.toHaveProperty('license')
    const license = { name: 'MIT', identifier: 'MIT' }
    expect(JSON.parse((await panelWith({ license })('/oag.json')).text).info.license).toEqual(license)
    for (const options of [{ route: '' }, { title: '' }, { route: '/' }])
      expect(() => oag(options)).toThrow(`setting-value  oag.${Object.keys(options)[0]}`)
  })

  it('is a page of our own files, with a policy for it alone', async () => {
    const { status, headers, text } = await panelWith({})('/docs')
    expect(status).toBe(200)
    expect(text).toMatch(
      /<div id="docs" data-url="\/oag\.json" data-title="Docs" [^>]*data-viewer="\/admin\/assets\/[0-9a-f]{12}\/scalar\.js">/,
    )
    expect(text).not.toMatch(/(?:src|href)="https?:/)
    expect(text).not.toMatch(/<script(?![^>]* src=)/)
    expect(headers.get('content-security-policy')).toContain("style-src 'self' 'unsafe-inline';")
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self';/)
  })

  it('is nowhere without the add-on', async () => {
    const ask = panelWith(null)
    expect([(await ask('/docs')).status, (await ask('/oag.json')).status]).toEqual([404, 404])
  })

  it('has its title and its version', async () => {
    const ask = panelWith({ title: 'Our <API>', version: '3.2.1' })
    expect(JSON.parse((await ask('/oag.json')).text).info).toMatchObject({ title: 'Our <API>', version: '3.2.1' })
    expect((await ask('/docs')).text).toContain('<title>Our &lt;API&gt; &#183; Daymark</title>')
  })

  it.each(['api/spec.json', '/api/spec.json'])('is where route says: %s', async (route) => {
    const ask = panelWith({ route })
    expect((await ask('/api/spec.json')).status).toBe(200)
    expect((await ask('/oag.json')).status).toBe(404)
    expect((await ask('/docs')).text).toContain('data-url="/api/spec.json"')
  })

  it.each(['oag::docs', 'our::docs'])('is shown by the view of the panel: %s', async (view) => {
    const views = { [view]: ({ url }: { url: string }) => ({ title: 'Ours', content: html`<h1>ours of ${url}</h1>` }) }
    const { text, headers } = await panelWith({ view }, { views })('/docs')
    expect(text).toContain('<h1>ours of /oag.json</h1>')
    expect(text).not.toContain('scalar')
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
  })

  it('does not start with a view that is not there', () => {
    expect(() => panelWith({ view: 'none::docs' })).toThrow(/plugin-view.*none::docs.*oag::docs/s)
  })

  it('stands where the panel is mounted', async () => {
    const ask = panelWith({}, { url: 'http://127.0.0.1:3000/below/this' })
    for (const path of ['/below/this/docs', '/docs']) expect((await ask(path)).text).toContain('data-url="/below/this/oag.json"')
    expect(JSON.parse((await ask('/below/this/oag.json')).text).servers[0].url).toBe('/below/this')
  })

  it('is for those who are signed in, where it is told so', async () => {
    const world = await openWorld({ plugins: [oag({ access: 'signedIn' })] })
    try {
      for (const path of ['/docs', '/oag.json']) {
        expect((await world.ask({ path })).status).toBe(401)
        expect((await world.ask({ path, headers: await world.as('reader') })).status).toBe(200)
      }
    } finally {
      await world.close()
    }
  })
})
