import { definePage, definePanel, defineResource, figure, type MenuLine, memoryStore } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const store = memoryStore()
const Cities = defineResource({ model: { ...store, table: sqliteTable('cities', { id: integer().primaryKey(), name: text().notNull() }) } })
const Vaults = defineResource({
  model: { ...store, table: sqliteTable('vaults', { id: integer().primaryKey() }) },
  can: { view: ['nobody'] },
})
const report = definePage({ uri: 'report', title: 'Report', icon: 'home', components: [] })
const closed = definePage({ uri: 'closed', title: 'Closed', can: ['nobody'], components: [] })

const panelOf = (menu?: readonly MenuLine[]) =>
  definePanel({ auth: 'open', resources: [Cities, Vaults], pages: [report, closed], ...(menu && { menu }) })

/** The menu of a page, without its marks. */
async function menuOf(menu?: readonly MenuLine[]): Promise<string> {
  const answer = await panelOf(menu).fetch(new Request('http://localhost/admin', { headers: { accept: 'text/html' } }))
  return /<div class="menu-groups">(.*?)<\/div>/s.exec(await answer.text())?.[1] ?? ''
}

test('without one that is declared: the resources and pages that one may see, in their order', async () => {
  const menu = await menuOf()
  expect([...menu.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['/admin/resource/cities/crud', '/admin/page/report'])
  expect(menu).not.toMatch(/Vaults|Closed/)
})

test('groups, labels, badges, lines and ways elsewhere; nothing that leads where one may not go', async () => {
  await store.transaction((tx) => tx.create(Cities.model, { id: 1, name: 'Bern' }))
  const menu = await menuOf([
    'divider',
    { page: report, label: 'Numbers' },
    { group: 'Places', items: [{ resource: Cities, badge: figure.count(Cities) }, Vaults] },
    { group: 'Empty', items: [Vaults, closed] },
    { resource: 'cities', label: 'Not for you', can: ['nobody'] },
    'divider',
    { label: '<Elsewhere>', href: 'https://example.com/?a=1&b=2' },
    { label: 'Bad', href: 'javascript:alert(1)' },
  ])
  expect(menu).toContain('>Numbers<')
  expect(menu).toMatch(/<h2>Places<\/h2><ul><li><a href="\/admin\/resource\/cities\/crud">.*?<span class="count">1<\/span>/)
  expect(menu).toContain('&lt;Elsewhere&gt;')
  expect(menu).toContain('href="https://example.com/?a=1&amp;b=2"')
  expect(menu.match(/<hr>/g)).toHaveLength(1)
  expect(menu).not.toMatch(/Empty|Vaults|Closed|Not for you|javascript:/)
})

test('lines divide something from something', async () => {
  const lines = async (menu: readonly MenuLine[]) => ((await menuOf(menu)).match(/<hr>/g) ?? []).length
  expect(await lines(['divider', 'divider', Cities, 'divider', Vaults, 'divider', report, 'divider', closed, 'divider', 'divider'])).toBe(1)
  expect(await menuOf([Cities, { group: 'Hidden', items: ['divider', Vaults, 'divider', closed] }])).not.toMatch(/Hidden|<hr>/)
})

test('a line divides a group from what comes after it and is none of it', async () => {
  const menu = await menuOf([Cities, { group: 'Numbers', items: [report] }, { label: 'Elsewhere', href: '/elsewhere' }])
  expect(menu).toMatch(/Report.*<\/ul><hr><ul>.*Elsewhere/)
  expect(menu.match(/<hr>/g)).toHaveLength(1)
  expect(await menuOf([{ group: 'Hidden', items: [Vaults] }, Cities])).not.toContain('<hr>')
})

test('a link to the page itself is marked as one', async () => {
  expect(await menuOf([Cities, { label: 'Here', href: '/admin' }])).toContain('<a href="/admin" aria-current="page">')
  expect(await menuOf([Cities, { label: 'There', href: '/admin/plugin/there' }])).not.toContain('aria-current')
})

test('what it names must be there', () => {
  const strange = definePage({ uri: 'strange', title: 'Strange', components: [] })
  expect(() =>
    panelOf(['nothing' as never, { resource: 'nothing' }, { resource: Cities, icon: 'nothing' as never }, strange].slice(1)),
  ).toThrow(/menu-resource.*nothing[\s\S]*icon.*nothing[\s\S]*menu-page.*strange/)
})
