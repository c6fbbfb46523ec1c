import { definePanel, defineResource, id, memoryStore, number, refuse, text, usersResource } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const cities = sqliteTable('cities', { id: integer('id').primaryKey(), name: varchar('name').notNull(), population: integer('population') })

function panelIn(locale: string) {
  const Cities = defineResource({
    model: memoryStore(cities, [{ id: 1, name: 'Zürich', population: 1_234_567 }]),
    fields: { id: id(), name: text('Name'), population: number('Population') },
  })
  const panel = definePanel({ auth: 'open', resources: [Cities], locale })
  return async (path: string, accept = 'text/html') => {
    const response = await panel.fetch(new Request(`http://localhost/admin${path}`, { headers: { accept } }))
    return response.text()
  }
}

test('a panel speaks the language of its locale, and writes numbers as one does there', async () => {
  const german = panelIn('de')
  const list = await german('/resource/cities/crud')
  expect(list).toContain('lang="de"')
  expect(list).toContain('1.234.567')
  expect(await german('/resource/cities/form-page/1')).toContain('Speichern')
  expect(await german('/resource/cities/crud/9')).toContain('Nicht gefunden')
  expect(await german('/resource/cities/crud/9', 'application/json')).toContain('Diesen Eintrag gibt es nicht')
  expect(await panelIn('en')('/resource/cities/crud')).toContain('1,234,567')
})

test('a panel speaks French', async () => {
  const french = panelIn('fr')
  const list = await french('/resource/cities/crud')
  expect(list).toContain('lang="fr"')
  expect(list).toContain('1&#8239;234&#8239;567')
  expect(list).toContain('Vues enregistrées')
  expect(JSON.parse(await french('/resource/cities/crud/9', 'application/json')).detail).toBe('Cet élément n’existe pas')
})

test('Spanish is one of its languages, for pages and programs', async () => {
  const spanish = panelIn('es')
  const list = await spanish('/resource/cities/crud')
  expect(list).toContain('lang="es"')
  expect(list).toContain('1.234.567')
  expect(list).toContain('Exportar como CSV')
  const problem = JSON.parse(await spanish('/resource/cities/crud/9', 'application/json'))
  expect(problem).toMatchObject({ status: 404, detail: 'Este registro no existe' })
})

test('a panel speaks Italian', async () => {
  const italian = panelIn('it')
  const list = await italian('/resource/cities/crud')
  expect(list).toContain('lang="it"')
  expect(list).toContain('Seleziona tutte le righe di questa pagina')
  const problem = JSON.parse(await italian('/resource/cities/crud/9', 'application/json'))
  expect(problem).toMatchObject({ status: 404, title: 'Not found', detail: 'Questo record non esiste' })
})

test('a panel in Brazil speaks Portuguese: its pages, and what an error of the JSON face says', async () => {
  const portuguese = panelIn('pt-BR')
  const list = await portuguese('/resource/cities/crud')
  expect(list).toContain('lang="pt-BR"')
  expect(list).toContain('Opções de exibição')
  expect(JSON.parse(await portuguese('/resource/cities/crud/9', 'application/json')).detail).toBe('Este registro não existe')
})

test('a name is joined to what is said of it by the signs of the language', async () => {
  const Paints = defineResource({
    model: memoryStore(goods, [{ id: 1, price: 5, count: 7, note: 'bleu' }]),
    fields: { id: id(), price: number('Prix').searchable(), count: number('Nombre'), note: text('Teinte').searchable() },
    column: 'id',
    import: true,
    hooks: { beforeSave: () => refuse('price', 'trop cher') },
  })
  const panel = definePanel({ auth: 'open', resources: [Paints], locale: 'fr' })
  const ask = (path: string, body: string | null, headers: Record<string, string>) => {
    const from = { 'sec-fetch-site': 'same-origin', ...headers }
    return panel.fetch(
      new Request(`http://localhost/admin/${path}`, body === null ? { headers: from } : { method: 'POST', headers: from, body }),
    )
  }
  const json = { accept: 'application/json' }
  const imported = await ask('resource/goods/import', 'price,count,colour\n1,2,3\n', { ...json, 'content-type': 'text/csv' })
  expect(((await imported.json()) as { detail: string }).detail).toContain('Colonne inconnue\u00a0: «\u00a0colour\u00a0»')
  const found = await ask('palette?query=bleu', null, json)
  expect(JSON.stringify(await found.json())).toContain('Teinte\u00a0: bleu')
  const form = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  expect(await (await ask('resource/goods/crud', 'price=9&count=1', form)).text()).toContain('>Prix &#8211; trop cher<')
})

test('a language that is written from right to left turns the page round', async () => {
  const page = await panelIn('ar')('/resource/cities/crud')
  expect(page).toContain('dir="rtl"')
})

test('what does not depend on the language stays: keys, codes and values of the JSON face', async () => {
  const body = JSON.parse(await panelIn('de')('/resource/cities/crud/1', 'application/json'))
  expect(body).toEqual({ data: { id: 1, name: 'Zürich', population: 1_234_567 } })
})

const goods = sqliteTable('goods', { id: integer().primaryKey(), price: real().notNull(), count: integer().notNull(), note: varchar() })

test('a form writes numbers as one does there, and takes them so; a program writes them as ever', async () => {
  const Goods = defineResource({
    model: memoryStore(goods, [{ id: 1, price: 1234.5, count: 7, note: null }]),
    fields: { id: id(), price: number('Price'), count: number('Count'), note: text('Note').showWhen('price', 2.5) },
    filters: ['price'],
  })
  const panel = definePanel({ auth: 'open', resources: [Goods], locale: 'de' })
  const ask = (path: string, init: RequestInit = {}) => panel.fetch(new Request(`http://localhost/admin/resource/goods/${path}`, init))
  const json = { accept: 'application/json' }
  const stored = async () => ((await (await ask('crud/1', { headers: json })).json()) as { data: unknown }).data
  const save = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ _method: 'PATCH', ...fields })
    const answer = await ask('crud/1', { method: 'POST', body, headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' } })
    return { status: answer.status, page: await answer.text() }
  }
  const form = await (await ask('form-page/1', { headers: { accept: 'text/html' } })).text()
  expect(form).toContain('value="1234,5"')
  expect(form).not.toContain('value="1234.5"')
  expect(form).toContain('data-show-texts="[&quot;2,5&quot;]"')
  // As it stands in the form, in a list, and as it ever was.
  for (const [price, expected] of [
    ['1234,5', 1234.5],
    ['2,25', 2.25],
    ['1.234,75', 1234.75],
    ['3.5', 3.5],
  ] as const) {
    expect((await save({ price, count: '1.234' })).status).toBe(303)
    expect(await stored()).toEqual({ id: 1, price: expected, count: 1234, note: null })
  }
  const refused = await save({ price: '1.234', count: '8' })
  expect(refused.status).toBe(422)
  expect(refused.page).toContain('kann zweierlei heißen: Schreib 1234 oder 1,234')
  expect(refused.page).toContain('value="1.234"')
  expect(await stored()).toEqual({ id: 1, price: 3.5, count: 1234, note: null })
  const patch = (price: unknown) =>
    ask('crud/1', { method: 'PATCH', headers: { ...json, 'content-type': 'application/json' }, body: JSON.stringify({ price }) })
  expect((await patch(1.234)).status).toBe(200)
  expect((await patch('2,5')).status).toBe(422)
  const found = async (price: string) => {
    const answer = await ask(`crud?filter[price]=${price}`, { headers: json })
    return answer.status === 200 ? ((await answer.json()) as { meta: { total: number } }).meta.total : answer.status
  }
  expect([await found('1.234'), await found('1,234')]).toEqual([1, 422])
})

test('the labels of the users are said in the language that they are given', () => {
  const { title, fields } = usersResource({ locale: 'de', messages: { 'users.roles': 'Aufgaben' } })
  const labels = ['username', 'roles', 'password'].map((key) => fields.get(key)?.label)
  expect([title, ...labels]).toEqual(['Nutzer', 'Benutzername', 'Aufgaben', 'Passwort'])
  expect(usersResource().title).toBe('Users')
})

test('a filter takes numbers as one writes them there, an address as programs do; what is made of it is for programs', async () => {
  const Goods = defineResource({
    model: memoryStore(goods, [
      { id: 1, price: 1234.5, count: 7, note: null },
      { id: 2, price: 2, count: 12_000, note: null },
    ]),
    fields: { id: id(), price: number('Price').sortable(), count: number('Count'), note: text('Note') },
    filters: ['price', 'count', 'note'],
  })
  const panel = definePanel({ auth: 'open', resources: [Goods], locale: 'de' })
  const ask = async (query: string, accept = 'text/html') => {
    const answer = await panel.fetch(new Request(`http://localhost/admin/resource/goods/crud?${query}`, { headers: { accept } }))
    return { status: answer.status, text: await answer.text() }
  }
  const chip = (text: string) => /class="chip[^>]*>(?:<span[^>]*>)?([^<]+)/.exec(text)?.[1]
  for (const typed of ['1.234,5', '1234,5', '1234.5']) {
    const { status, text: page } = await ask(`filter[price][from]=${typed}`)
    expect([status, chip(page)]).toEqual([200, 'Price &#8805; 1.234,5'])
    expect(page).toMatch(/<input[^>]*value="1234,5"[^>]*name="filter\[price\]\[from\]"/)
    expect(page).toContain('filter%5Bprice%5D%5Bfrom%5D=1234.5')
    expect(page).not.toContain('1.234%2C5')
  }
  const { text: page } = await ask('filter[count][from]=10.000')
  expect(chip(page)).toBe('Count &#8805; 10.000')
  // By itself it is a number of an address, and stays one: what it was taken for stands there.
  expect(chip((await ask('filter[price][from]=1.234')).text)).toBe('Price &#8805; 1,234')
  // No program writes ten so.
  expect(chip((await ask('filter[price][from]=10.000')).text)).toBe('Price &#8805; 10.000')
  expect((await ask('filter[price][from]=viel')).text).toMatch(/<input[^>]*value="viel"[^>]*name="filter\[price\]\[from\]"/)
  expect((await ask('filter[note][contains]=1.234,5')).text).toContain('1.234,5')
  expect((await ask('filter[price][from]=1234,5', 'application/json')).status).toBe(422)
  expect(JSON.parse((await ask('filter[price][from]=1234.5', 'application/json')).text).data).toHaveLength(1)
})

test('in English a form takes numbers as the panel writes them, and a program writes none of it', async () => {
  const Goods = defineResource({
    model: memoryStore(goods, [{ id: 1, price: 1, count: 1, note: null }]),
    fields: { id: id(), price: number('Price'), count: number('Count') },
    filters: ['price'],
  })
  const panel = definePanel({ auth: 'open', resources: [Goods] })
  const at = 'http://localhost/admin/resource/goods/crud'
  const save = async (price: string, count: string) => {
    const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin' }
    const body = new URLSearchParams({ _method: 'PATCH', price, count })
    const answer = await panel.fetch(new Request(`${at}/1`, { method: 'POST', body, headers }))
    return [answer.status, ((await answer.json()) as { data?: unknown }).data]
  }
  expect(await save('1,000.05', '120,000')).toEqual([200, { id: 1, price: 1000.05, count: 120_000 }])
  expect(await save('1,5', '7')).toEqual([422, undefined])
  expect(await save('5', '1,00')).toEqual([422, undefined])
  const json = { accept: 'application/json', 'content-type': 'application/json' }
  const patch = new Request(`${at}/1`, { method: 'PATCH', headers: json, body: '{"price":"1,000"}' })
  expect((await panel.fetch(patch)).status).toBe(422)
  const list = async (accept: string) => panel.fetch(new Request(`${at}?filter[price]=1,000.05`, { headers: { accept } }))
  expect((await list('application/json')).status).toBe(422)
  expect(await (await list('text/html')).text()).toContain('120,000')
})

test.each([
  ['en', ['What was sent is larger than 1.5 kB', 'What was sent is larger than 2.5 MB']],
  ['de', ['Der Inhalt ist größer als 1,5 kB', 'Der Inhalt ist größer als 2,5 MB']],
])('what is too large is told in the units that people know: %s', async (locale, said) => {
  const Goods = defineResource({
    model: memoryStore(goods, []),
    fields: { id: id(), price: number('Price'), count: number('Count') },
    import: true,
  })
  const panel = definePanel({ auth: 'open', resources: [Goods], locale, limits: { body: 1500, files: 2_500_000 } })
  const send = async (path: string, type: string, body: string) => {
    const headers = { 'content-type': type, accept: 'application/json', 'sec-fetch-site': 'same-origin' }
    const answer = await panel.fetch(new Request(`http://localhost/admin/resource/goods/${path}`, { method: 'POST', headers, body }))
    const { detail } = (await answer.json()) as { detail: string }
    return [answer.status, detail.replaceAll('\u00a0', ' ')]
  }
  const [body, file] = said
  expect(await send('crud', 'application/json', JSON.stringify({ note: 'x'.repeat(1500) }))).toEqual([413, body])
  expect(await send('import', 'text/csv', `price,count\n${'1,2\n'.repeat(700_000)}`)).toEqual([413, file])
  // Beside its files, a form is no larger than any body.
  const form = `--XX\r\nContent-Disposition: form-data; name="mode"\r\n\r\n${'x'.repeat(1500)}\r\n--XX--\r\n`
  expect(await send('import', 'multipart/form-data; boundary=XX', form)).toEqual([413, body])
})
