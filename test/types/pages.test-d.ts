// What must compile and what must not, of pages and URLs.
import {
  actionButton,
  chart,
  definePage,
  definePanel,
  defineResource,
  figure,
  formBuilder,
  groups,
  hasMany,
  metric,
  number,
  pageFilter,
  tableBuilder,
  text as textField,
} from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const cities = sqliteTable('cities', { id: integer().primaryKey(), name: text().notNull(), population: integer() })
const Cities = defineResource({ model: cities, computed: { size: { label: 'Size', needs: ['population'], value: () => 'large' } } })
const page = definePage({ uri: 'report', title: 'Report', components: [metric({ name: 'n', label: 'N', value: figure.count(Cities) })] })
const panel = definePanel({ auth: 'open', resources: [Cities], pages: [page], home: page })

export const paths: string[] = [
  panel.route('index'),
  panel.route('index', { query: { a: 1 } }),
  panel.route('crud.update', { resource: Cities, resourceItem: 7 }),
  panel.route('resource.page', { resource: 'cities', page: 'form-page' }),
  panel.route('resource.page', { resource: Cities, page: 'form-page', resourceItem: 'x' }),
  panel.route('page', { page }),
  panel.route('component', { page, query: { _component_name: 'n' } }),
  panel.toPage({ page }),
  panel.urls(Cities).editPage(7),
  panel.urls(page).url(),
]
export const led: Response = panel.toPage({ resource: Cities, redirect: true })

export const drawn = [
  defineResource({ model: cities, icon: 'map-pin' }),
  definePanel({ auth: 'open', resources: [Cities], menu: [{ resource: Cities, icon: 'globe-alt' }] }),
]
// @ts-expect-error no such icon
defineResource({ model: cities, icon: 'globe' })
// @ts-expect-error no such icon
definePage({ uri: 'p', title: 'P', icon: 'globe', components: [] })
// @ts-expect-error no such icon
definePanel({ auth: 'open', resources: [Cities], menu: [{ resource: Cities, icon: 'globe' }] })
// @ts-expect-error no such icon
actionButton({ label: 'Go', href: '/', icon: 'globe' })

// @ts-expect-error no such route
panel.route('crud.nothing')
// @ts-expect-error a parameter is missing
panel.route('crud.index')
// @ts-expect-error a parameter is missing
panel.route('crud.show', { resource: Cities })
// @ts-expect-error a parameter that the path does not have
panel.route('crud.index', { resource: Cities, resourceItem: 7 })
// @ts-expect-error a key is text or a number
panel.route('crud.show', { resource: Cities, resourceItem: true })
// @ts-expect-error a redirect is a Response
export const wrong: string = panel.toPage({ resource: Cities, redirect: true })

tableBuilder(Cities, { name: 't', columns: ['name', 'size'], where: { population: { gte: 1 } }, sort: ['-population', 'name'] })
formBuilder(Cities, { name: 'f', fields: ['name'] })
tableBuilder('cities', { name: 't', columns: ['anything'] })
hasMany(Cities)
hasMany(Cities, { by: 'population', columns: ['name', 'size'], where: { population: { gte: 1 } }, sort: '-population', limit: 5 })
hasMany('cities', { by: 'anything' })
// @ts-expect-error no such column
hasMany(Cities, { by: 'nope' })
// @ts-expect-error no such field
hasMany(Cities, { columns: ['nope'] })
defineResource({ model: cities, pages: { more: [page, { uri: 'x', title: 'X', type: 'index', fields: ['name'], where: { name: 'y' } }] } })
// @ts-expect-error no such column
tableBuilder(Cities, { name: 't', columns: ['nope'] })
// @ts-expect-error a condition on no column
tableBuilder(Cities, { name: 't', where: { nope: 1 } })
// @ts-expect-error sorted by a computed value
tableBuilder(Cities, { name: 't', sort: 'size' })
// @ts-expect-error a sum of no column
figure.sum(Cities, 'nope')
chart({ name: 'c', label: 'C', data: groups.count(Cities, { by: 'name', split: 'population', where: { population: { gte: 1 } } }) })
chart({
  name: 'c',
  label: 'C',
  type: 'line',
  data: [{ label: 'A', data: groups.sum('cities', 'anything', { by: 'any', every: 'week', last: 3 }) }],
})
chart({ name: 'c', label: 'C', data: async ({ user }) => ({ groups: [user.name], series: [{ label: 'A', values: [1, null] }] }) })
// @ts-expect-error groups by no column
groups.count(Cities, { by: 'nope' })
// @ts-expect-error series by no column
groups.count(Cities, { by: 'name', split: 'nope' })
// @ts-expect-error a sum of no column
groups.sum(Cities, 'nope', { by: 'name' })
// @ts-expect-error a text has no sum
groups.sum(Cities, 'name', { by: 'name' })
// @ts-expect-error a condition on no column
groups.count(Cities, { by: 'name', where: { nope: 1 } })
// @ts-expect-error no such period
groups.count(Cities, { by: 'name', every: 'decade' })
// @ts-expect-error no such drawing
chart({ name: 'c', label: 'C', type: 'pie', data: groups.count(Cities, { by: 'name' }) })
// @ts-expect-error a page needs a title
definePage({ uri: 'x', components: [] })
// @ts-expect-error a page holds components
definePage({ uri: 'x', title: 'X', components: [{ is: 'nothing' }] })
// @ts-expect-error a further page names what is not declared
defineResource({ model: cities, pages: { more: [{ uri: 'x', title: 'X', type: 'index', fields: ['nope'] }] } })

const own = definePage({
  uri: 'own',
  title: 'Own',
  components: [actionButton({ label: 'Go', method: 'go' })],
  buttons: [{ label: 'Go', method: 'go' }],
  methods: {
    go: {
      fields: { to: textField(), many: number().required() },
      run: ({ input, pageUri, isIndexPage, of, user }) => {
        const to: string | null = input.to
        const many: number | null = input.many
        return `${to} ${many} ${pageUri} ${isIndexPage} ${of(Cities).count} ${user.name}`
      },
    },
    plain: { can: ['admin'], method: 'GET', safe: true, run: (ctx) => `${Cities.isIndexPage(ctx)}` },
  },
})
// Inside of a resource its types are inferred as well.
const Towns = defineResource({
  model: cities,
  pages: {
    more: [
      definePage({
        uri: 'in',
        title: 'In',
        components: [],
        methods: { where: { run: ({ pageUri }) => `${pageUri}` } },
        buttons: [{ label: 'Where', method: 'where' }],
      }),
    ],
  },
  methods: { count: { fields: { at: number() }, run: async ({ count, resourceUri }) => `${await count()} ${resourceUri}` } },
  hooks: { beforeSave: (about) => ({ name: `${about.isCreateFormPage}` }), afterSave: (about) => void Cities.isIndexPage(about) },
})
const owner = definePanel({ auth: 'open', resources: [Towns], pages: [own] })
owner.urls(own).method('go')
owner.urls(Towns).method('count')
owner.urls(Towns).method('go', { page: own })
// A method may be nothing but a function of what it is called with.
const bare = definePage({ uri: 'bare', title: 'Bare', components: [], methods: { greet: { run: ({ user }) => user.name } } })
definePanel({ auth: 'open', resources: [], pages: [bare] })
  .urls(bare)
  .method('greet')
// @ts-expect-error no such method of the page
owner.urls(own).method('went')
// @ts-expect-error no such method of the resource
owner.urls(Towns).method('went')
// @ts-expect-error a button names no method of the page
definePage({ uri: 'x', title: 'X', components: [], methods: { go: { run: () => {} } }, buttons: [{ label: 'Go', method: 'went' }] })
// @ts-expect-error a method of a page has no ability
definePage({ uri: 'x', title: 'X', components: [], methods: { go: { ability: 'update', run: () => {} } } })

const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  status: text({ enum: ['open', 'paid'] }).notNull(),
  cityId: integer('city_id'),
  total: integer().notNull(),
  day: text(),
  at: integer({ mode: 'timestamp' }).notNull(),
})
const Orders = defineResource({ model: orders })
const period = pageFilter.period({ initial: 'last-30-days', options: ['last-7-days', 'last-30-days'] })
const status = pageFilter.of(Orders, 'status')
const city = pageFilter.of(Orders, 'cityId', { label: 'Place' })
export const chosen = definePage({
  uri: 'chosen',
  title: 'Chosen',
  filters: { period, status, city },
  components: [
    metric({
      name: 'n',
      label: 'N',
      value: figure.sum(Orders, 'total', { status, cityId: { eq: city }, at: { within: period } }),
      before: { value: figure.count(Orders, { day: { within: period.before } }) },
    }),
    metric({
      name: 'f',
      label: 'F',
      value: ({ chosen }) => {
        const from: Date | undefined = chosen(period)?.from
        const before: Date | undefined = chosen(period.before)?.until
        const one: 'open' | 'paid' | null = chosen(status)
        const key: number | null = chosen(city)
        return `${from} ${before} ${one} ${key}`
      },
    }),
    chart({ name: 'c', label: 'C', data: groups.count(Orders, { by: 'at', within: period }) }),
    tableBuilder(Orders, { name: 't', where: { status, at: { within: period } } }),
    tableBuilder('orders', { name: 'u', where: { anything: status, when: { within: period } } }),
  ],
})
pageFilter.of('orders', 'anything')
// @ts-expect-error no such column
pageFilter.of(Orders, 'nope')
// @ts-expect-error no such period
pageFilter.period({ options: ['last-decade'] })
// @ts-expect-error not one of its options
pageFilter.period({ options: ['today'], initial: 'yesterday' })
// @ts-expect-error what is chosen of one column is no value of another
figure.count(Orders, { total: status })
// @ts-expect-error a city has no status
figure.count(Cities, { name: city })
// @ts-expect-error a period is within
figure.count(Orders, { at: period })
// @ts-expect-error a column of numbers is in no period
figure.count(Orders, { total: { within: period } })
// @ts-expect-error a chart divides what users choose, not what was before
groups.count(Orders, { by: 'at', within: period.before })
// @ts-expect-error a filter of a page is made by pageFilter
definePage({ uri: 'x', title: 'X', filters: { one: textField() }, components: [] })
// @ts-expect-error a status is no number
metric({ name: 'w', label: 'W', value: ({ chosen }): number | null => chosen(status) })
