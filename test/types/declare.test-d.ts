// What must compile and what must not. `npm run types` fails if a line of either sign goes the other way.
import {
  anyOf,
  averageOf,
  belongsTo,
  belongsToMany,
  countOf,
  date,
  dateTime,
  definePanel,
  defineResource,
  defineWebhook,
  file,
  hasMany,
  html,
  id,
  image,
  largestOf,
  not,
  number,
  select,
  smallestOf,
  sumOf,
  switcher,
  tags as tagsOf,
  text,
  textarea,
  time,
  trashResource,
  valuesOf,
  view,
} from 'daymark'
import { boolean, date as pgDate, numeric as pgNumeric, pgTable, time as pgTime, serial, varchar } from 'drizzle-orm/pg-core'
import { type AnySQLiteColumn, integer, numeric, real, sqliteTable, text as t } from 'drizzle-orm/sqlite-core'
import type { Field } from '../../src/field/field.js'
import type { Checked, Needs } from '../../src/resource/checked.js'

const countries = sqliteTable('countries', {
  id: integer('id').primaryKey(),
  name: t('name').notNull(),
  capitalId: integer('capital_id').references((): AnySQLiteColumn => cities.id),
})
const cities = sqliteTable('cities', {
  id: integer('id').primaryKey(),
  name: t('name').notNull(),
  countryId: integer('country_id').notNull(),
  population: integer('population').notNull(),
  latitude: real('latitude').notNull(),
  isCapital: integer('is_capital', { mode: 'boolean' }).notNull(),
  notes: t('notes'),
})
const employees = sqliteTable('employees', { id: integer('id').primaryKey(), name: t('name').notNull(), managerId: integer('manager_id') })

// The example of the architecture page, as written.
export const Cities = defineResource({
  model: cities,
  title: 'Cities',
  fields: {
    id: id(),
    name: text('Name').required().max(200).sortable().searchable(),
    countryId: belongsTo('Country', countries).sortable(),
    population: number('Population').min(0).sortable(),
    isCapital: switcher('Capital').updateOnPreview().updateRow('cities-table'),
    notes: textarea('Notes').columnSelection(false),
  },
  computed: { hemisphere: { label: 'Hemisphere', needs: ['latitude'], value: (city) => (city.latitude < 0 ? 'south' : 'north') } },
  display: { population: (people, city) => html`<b title="${city.name}">${people.toLocaleString()}</b>` },
  pages: {
    index: ['id', 'name', 'countryId', 'population', 'hemisphere', 'isCapital'],
    form: ['name', 'countryId', 'population', 'isCapital', 'notes'],
  },
  filters: ['name', 'countryId', 'population', 'isCapital'],
  queryTags: { megacities: { label: 'Megacities', where: { population: { gte: 10_000_000 } } } },
  massUpdate: ['countryId', 'isCapital'],
  sortColumn: 'population',
  clickAction: 'DETAIL',
  stickyTable: true,
  columnSelection: true,
  table: { name: 'cities-table', trAttributes: (city, rowNumber) => ({ class: city.isCapital ? 'capital' : '', 'data-row': rowNumber }) },
  handlers: {
    recount: {
      method: 'POST',
      can: ['admin'],
      canRecord: ({ user, record }) => user.roles.length > 1 || !record.isCapital || 'A capital is counted by hand',
      async run({ ids, update }) {
        for (const one of ids) await update(one, { population: 1 })
      },
    },
  },
  indexButtons: [{ label: 'Recount', bulk: true, handler: 'recount' }],
  can: { delete: ['admin'] },
  canRecord: { delete: ({ record }) => !record.isCapital },
})

// A mutual pair, a self-reference, a chain of three.
export const Countries = defineResource({ model: countries, fields: { id: id(), name: text(), capitalId: belongsTo('Capital', cities) } })
export const Employees = defineResource({
  model: employees,
  fields: { id: id(), name: text(), managerId: belongsTo('Manager', employees) },
})
const a = sqliteTable('a', { id: integer('id').primaryKey(), bId: integer('b_id').references((): AnySQLiteColumn => b.id) })
const b = sqliteTable('b', { id: integer('id').primaryKey(), cId: integer('c_id').references((): AnySQLiteColumn => c.id) })
const c = sqliteTable('c', { id: integer('id').primaryKey(), name: t('name') })
export const A = defineResource({ model: a, fields: { id: id(), bId: belongsTo('B', b) } })
export const B = defineResource({ model: b, fields: { id: id(), cId: belongsTo('C', c) } })
export const C = defineResource({ model: c, fields: { id: id(), name: text() } })

// The one-liner, and the one-liner with names.
export const Plain = defineResource({ model: cities })
export const PlainNamed = defineResource({ model: cities, pages: { index: ['name'] }, filters: ['population'], sortColumn: 'population' })

const pg = pgTable('p', { id: serial('id').primaryKey(), name: varchar('name', { length: 3 }), ok: boolean('ok') })
export const Postgres = defineResource({ model: pg, fields: { id: id(), name: text(), ok: switcher() } })

// Callbacks get the row's own types, nulls included.
defineResource({
  model: cities,
  hooks: {
    beforeSave: ({ before, values }) => {
      const name: string | undefined = values.name
      const notes: string | null | undefined = before?.notes
      return { notes: notes ?? name ?? null }
    },
    async afterSave({ after, update, of, notify }) {
      const changed: string = (await update(after.id, { notes: 'seen' })).name
      const found: string | null | undefined = (await of(C).unrestricted.find(1))?.name
      // @ts-expect-error no column of this table
      await update(after.id, { nope: changed })
      await notify({ to: after.id, text: 'Seen', tone: 'good', link: '/admin' })
      await notify({ to: [after.id, '2', 3n], text: 'Seen' })
      await notify({ to: { role: ['admin', 'editor'] }, text: 'Seen' })
      // @ts-expect-error nobody is told
      await notify({ text: 'Seen' })
      // @ts-expect-error nothing is said
      await notify({ to: after.id })
      // @ts-expect-error no user may be meant
      await notify({ to: after.notes, text: 'Seen' })
      // @ts-expect-error no tone
      await notify({ to: 1, text: 'Seen', tone: 'loud' })
      // @ts-expect-error no part of a notice
      await notify({ to: 1, text: 'Seen', html: '<b>Seen</b>' })
      // @ts-expect-error nor of that one
      await of(C).create({ nope: found })
    },
  },
  // @ts-expect-error a rule looks at what is sent, and at nothing else
  validate: ({ values, update }) => (update && (values.population ?? 0) < 0 ? { population: 'below zero' } : null),
})
defineResource({
  model: cities,
  validate: ({ values }) => ((values.population ?? 0) < 0 ? { population: 'below zero' } : null),
  scope: ({ user }) => (user.roles.includes('admin') ? {} : { isCapital: true }),
})

// What an import finds records by: fields that are columns.
defineResource({ model: cities, import: { match: 'name' } })
defineResource({ model: cities, import: { match: ['countryId', 'name'], roles: ['admin'] } })
defineResource({ model: cities, fields: { id: id(), name: text() }, import: { match: 'name' } })
// @ts-expect-error there is no such column
defineResource({ model: cities, import: { match: 'nmae' } })
// @ts-expect-error there is no such column
defineResource({ model: cities, import: { match: ['name', 'nmae'] } })
// @ts-expect-error the column is no field
defineResource({ model: cities, fields: { id: id(), name: text() }, import: { match: 'notes' } })
// @ts-expect-error a list of records is no column
defineResource({ model: countries, fields: { id: id(), cities: countOf(cities) }, import: { match: 'cities' } })
// @ts-expect-error nothing to find records by
defineResource({ model: cities, import: { match: [] } })
// @ts-expect-error there is no such setting
defineResource({ model: cities, import: { matches: 'name' } })
defineResource({ model: cities, constraints: { cities_check: { population: 'Below zero' }, cities_taken: 'There is one already' } })
// @ts-expect-error no such field
defineResource({ model: cities, constraints: { cities_check: { poplation: 'Below zero' } } })
// @ts-expect-error no column of this table
defineResource({ model: cities, validate: ({ values }) => (values.name === 'x' ? { nmae: 'Is wrong' } : null) })

// Only a text is searched, and only a list has values.
defineResource({ model: cities, scope: () => ({ name: { contains: 'x' }, notes: { startsWith: 'y' }, population: { gte: 5 } }) })
// @ts-expect-error a number contains no text
defineResource({ model: cities, scope: () => ({ population: { contains: '1' } }) })
// @ts-expect-error nor does it begin with one
defineResource({ model: cities, queryTags: { ones: { label: 'Ones', where: { population: { startsWith: '1' } } } } })
// @ts-expect-error a text is no list
defineResource({ model: cities, scope: () => ({ name: { has: 'x' } }) })

// An exact decimal is text in Drizzle and a number to people.
const prices = sqliteTable('prices', { id: integer('id').primaryKey(), price: numeric('price').notNull() })
defineResource({ model: prices, fields: { id: id(), price: number() } })
// @ts-expect-error a text field on an exact decimal
defineResource({ model: prices, fields: { price: text() } })

// @ts-expect-error not a column
defineResource({ model: cities, fields: { nope: text() } })
// @ts-expect-error a text field on a boolean column
defineResource({ model: cities, fields: { isCapital: text() } })
// @ts-expect-error a file's path on an integer column
defineResource({ model: cities, fields: { population: file() } })
// @ts-expect-error an extension is text
image().extensions(7)
defineResource({ model: cities, fields: { name: image('Photo').extensions('png').maxBytes(1).required() }, filters: ['name'] })
// Of kinds whose values have one type the compiler sees no difference: docs/fields.md says which, and the start refuses them.
defineResource({ model: cities, fields: { name: dateTime() } })
defineResource({ model: cities, fields: { name: dateTime().seconds().stored('YYYY-MM-DDTHH:MM:SS.SSSZ').sortable() }, filters: ['name'] })
// @ts-expect-error no such form
dateTime().stored('YYYY-MM-DD HH:MM')
// @ts-expect-error a column of times has its own
defineResource({ model: cities, fields: { updatedAt: dateTime().stored('YYYY-MM-DD HH:MM:SS') } })
// @ts-expect-error no text is a switch
defineResource({ model: cities, fields: { name: switcher() } })
// @ts-expect-error a switcher on a number column
defineResource({ model: cities, fields: { population: switcher() } })
// @ts-expect-error a page names an undeclared field
defineResource({ model: cities, fields: { id: id() }, pages: { index: ['name'] } })
defineResource({
  model: cities,
  computed: { x: { label: 'X', needs: ['latitude'], value: (city) => city.latitude } },
  pages: { form: ['name', { section: 'Place', fields: ['x'] }] },
})
defineResource({
  model: cities,
  computed: { x: { label: 'X', needs: ['latitude'], value: (city) => city.latitude } },
  // @ts-expect-error a form names what is neither a field nor a computed value
  pages: { form: ['y'] },
})
defineResource({ model: cities, pages: { form: ['name', { section: 'Place', fields: ['latitude'] }] } })
// @ts-expect-error a section names what is not a column
defineResource({ model: cities, pages: { form: [{ section: 'Place', fields: ['nope'] }] } })
// @ts-expect-error no such sort column
defineResource({ model: cities, sortColumn: 'nope' })
// @ts-expect-error no such column, fields left out
defineResource({ model: cities, pages: { index: ['nope'] } })
// @ts-expect-error a filter names an undeclared field
defineResource({ model: cities, fields: { id: id() }, filters: ['name'] })
// @ts-expect-error what is changed of many records at once is an undeclared field
defineResource({ model: cities, fields: { id: id() }, massUpdate: ['name'] })
// @ts-expect-error nor is it a computed value
defineResource({ model: cities, computed: { size: { label: 'S', needs: ['population'], value: () => 1 } }, massUpdate: ['size'] })
// Records are called by a column, or by a computed value.
defineResource({ model: cities, column: 'name' })
defineResource({ model: cities, column: 'size', computed: { size: { label: 'S', needs: ['population'], value: () => 'big' } } })
// @ts-expect-error neither a column nor a computed value
defineResource({ model: cities, column: 'sise', computed: { size: { label: 'S', needs: ['population'], value: () => 'big' } } })
// @ts-expect-error a number has no periods
defineResource({ model: cities, queryTags: { a: { label: 'A', where: { population: { within: 'today' } } } } })
// @ts-expect-error a button names an unknown handler
defineResource({ model: cities, handlers: { one: { async run() {} } }, indexButtons: [{ label: 'x', handler: 'two' }] })
// @ts-expect-error a button names an unknown method
defineResource({ model: cities, methods: { one: { async run() {} } }, buttons: [{ label: 'x', method: 'two' }] })
// @ts-expect-error a method is no handler
defineResource({ model: cities, methods: { one: { async run() {} } }, buttons: [{ label: 'x', handler: 'one' }] })
// @ts-expect-error a button looks at a property that the row does not have
defineResource({ model: cities, indexButtons: [{ label: 'x', href: '/', visible: ({ record }) => record.isCaptal }] })
// @ts-expect-error over the selection there is no one record
defineResource({ model: cities, indexButtons: [{ label: 'x', href: '/', at: 'toolbar', visible: ({ record }) => Boolean(record) }] })
// @ts-expect-error a handler writes what is not a column
defineResource({ model: cities, handlers: { one: { run: ({ update }) => update('1', { capital: true }).then(() => 'x') } } })
// @ts-expect-error the policy of a handler looks at a property that the row does not have
defineResource({ model: cities, handlers: { one: { canRecord: ({ record }) => record.isCaptal, run: () => 'x' } } })
// @ts-expect-error it is asked of a record, and answers at once
defineResource({ model: cities, methods: { one: { canRecord: async () => true, run: () => 'x' } } })
// @ts-expect-error a handler reads an input that it does not declare
defineResource({ model: cities, handlers: { one: { fields: { to: number() }, run: ({ input }) => String(input.too) } } })
defineResource({
  model: cities,
  handlers: {
    fields: {
      fields: {
        to: number(),
        why: text(),
        sure: switcher(),
        most: number('N').required().default(3),
        usual: number().default(3),
        certain: switcher().default(false).required(),
        kind: select('K').options({ a: 'A', b: 'B' }).required(),
        some: select('K').options(['a']),
        marks: select('M').options(['a', 'b']).multiple().required(),
        words: tagsOf('W').required(),
        day: date('Day').min('2026-01-01').required(),
        at: dateTime('At'),
      },
      async run({ input, update, ids, selected, find, list, create, of, user }) {
        const to: number | null = input.to
        const why: string | null = input.why
        const sure: boolean | null = input.sure
        // @ts-expect-error nothing may have been typed
        const typed: string = input.why
        const most: number = input.most
        const certain: boolean = input.certain
        // @ts-expect-error a switch that is not required has a third answer
        const maybe: boolean = input.sure
        // @ts-expect-error a default stands for what was not sent, not for what was emptied
        const usual: number = input.usual
        const kind: string = input.kind
        const chosen: string | null = input.some
        const marks: readonly string[] = input.marks
        const words: readonly string[] = input.words
        // @ts-expect-error one of several is no list
        const several: readonly string[] = input.kind
        // @ts-expect-error several are a list
        const single: string = input.marks
        const day: string = input.day
        const at: Date | null = input.at
        for await (const some of selected()) for (const city of some) await update(city.id, { name: city.name })
        const one: string | undefined = (await find(ids[0] ?? ''))?.name
        const all: readonly { notes: string | null }[] = await list({ where: { population: { gte: 1 } }, sortColumn: 'name' })
        await create({ name: user.name, countryId: 1, population: 1, latitude: 0, isCapital: false })
        const country: string = (await of(Countries).create({ name: 'x' })).name
        const more = [most, certain, maybe, usual, kind, chosen, marks, words, several, single, day, at]
        return { message: [to, why, sure, typed, one, all, country, ...more].join(' '), messageType: 'info' as const }
      },
    },
    // A Standard Schema of any make.
    schema: {
      input: { '~standard': { version: 1 as const, vendor: 'test', validate: (given: unknown) => ({ value: { to: Number(given) } }) } },
      run: ({ input }) => input.to.toFixed(2),
    },
  },
  methods: { one: { method: 'GET', safe: true, run: async ({ count }) => `${await count()}` } },
  indexButtons: [
    { label: 'a', handler: 'fields', visible: ({ record, user }) => record.isCapital && user.roles.length > 0 },
    { label: 'b', handler: 'schema', bulk: true, visible: ({ user }) => user.id === '1' },
    { label: 'c', method: 'one', at: 'toolbar' },
  ],
  buttons: [
    { label: 'd', method: 'one', on: 'detail' },
    { label: 'e', event: 'rang-{row-id}' },
  ],
})
// An action may be nothing but a function of what it is called with.
defineResource({
  model: cities,
  handlers: { one: { run: ({ ids }) => ids.join() } },
  methods: { two: { run: async ({ count }) => `${await count()}` } },
  buttons: [
    { label: 'a', handler: 'one' },
    { label: 'b', method: 'two' },
  ],
})
// @ts-expect-error an answer of a kind that does not exist
defineResource({ model: cities, handlers: { one: { run: () => ({ messageType: 'fine' }) } } })
// @ts-expect-error the row has no such property
defineResource({ model: cities, table: { name: 'n', trAttributes: (city) => ({ title: String(city.isCaptal) }) } })
// What a lookup does not find is no value.
const halves: Record<string, string | undefined> = { north: 'Northern' }
defineResource({ model: cities, computed: { x: { label: 'X', needs: ['name'], value: (city) => halves[city.name] } } })
// @ts-expect-error a function is none
defineResource({ model: cities, computed: { x: { label: 'X', needs: ['name'], value: () => () => 1 } } })
// @ts-expect-error computed reads a property that the row does not have
defineResource({ model: cities, computed: { x: { label: 'X', needs: ['latitude'], value: (city) => city.latitud } } })
// @ts-expect-error computed reads a column that it does not need: no list would bring it
defineResource({ model: cities, computed: { x: { label: 'X', needs: ['latitude'], value: (city) => city.name } } })
defineResource({
  model: cities,
  computed: { x: { label: 'X', value: (city) => `${city.name} ${city.latitude}`, needs: ['latitude', 'name'] } },
})
// @ts-expect-error computed needs what is not a column
defineResource({ model: cities, computed: { x: { label: 'X', needs: ['latitud'], value: () => 1 } } })
// @ts-expect-error a filter names a computed value
defineResource({ model: cities, computed: { x: { label: 'X', needs: ['latitude'], value: (city) => city.latitude } }, filters: ['x'] })
// @ts-expect-error a record policy reads a property that the row does not have
defineResource({ model: cities, canRecord: { delete: ({ record }) => record.isCaptal } })
// @ts-expect-error a policy for a record allows, denies, or says why
defineResource({ model: cities, canRecord: { delete: () => 1 } })
// @ts-expect-error a scope names what is not a column
defineResource({ model: cities, scope: () => ({ capital: true }) })
// @ts-expect-error a scope compares with a value of another type
defineResource({ model: cities, scope: () => ({ population: 'many' }) })
// @ts-expect-error a kind has its own methods only
text().min(1).step(2)
// @ts-expect-error a click action that does not exist
defineResource({ model: cities, clickAction: 'DELETE' })
// @ts-expect-error a display of what is not a column
defineResource({ model: cities, display: { nope: () => '' } })

// The parts of the table get the row's own types.
defineResource({
  model: cities,
  table: {
    trAttributes: (city, rowNumber, attributes) => ({ ...attributes, class: city.isCapital ? 'capital' : null, 'data-row': rowNumber + 1 }),
    tdAttributes: (city, rowNumber, cellNumber, attributes) => (cellNumber > rowNumber ? attributes : { title: city.notes }),
    thead: html`<tr></tr>`,
    tbody: (rows, { own }) => html`${own()}${rows.map(({ name }) => name)}`,
    tfoot: (rows, { cells, columns, total, user }) =>
      html`<tr><td colspan="${cells}">${rows.length} ${columns[0]?.label} ${total} ${user.name}</td></tr>`,
    tbodyBefore: html``,
    tbodyAfter: ([first]) => html`${first?.population.toFixed()}`,
  },
})
// @ts-expect-error a row of the foot reads a property that the record does not have
defineResource({ model: cities, table: { tfoot: (rows) => html`${rows[0]?.pupulation}` } })
// @ts-expect-error text is no markup
defineResource({ model: cities, table: { thead: '<tr></tr>' } })
// @ts-expect-error a part that does not exist
defineResource({ model: cities, table: { tbodyFirst: html`` } })
// @ts-expect-error an attribute is no object
defineResource({ model: cities, table: { tdAttributes: () => ({ title: {} }) } })

// A default is written as it is stored, or as JSON has it.
number().default(5).default(5n).default('5').example('1.25')
dateTime().default('2026-01-01T00:00:00Z').default(new Date())
// @ts-expect-error a switch is no text
switcher().default('1')
// @ts-expect-error nor is a number a switch
number().default(true)

// What a link table lists is no column, and callbacks have it beside them.
const tags = sqliteTable('tags', { slug: t('slug').primaryKey(), name: t('name').notNull() })
const cityTags = sqliteTable('city_tags', { cityId: integer('city_id').notNull(), tag: t('tag').notNull() })
const twins = sqliteTable('twins', { one: integer('one').notNull(), other: integer('other').notNull() })
const Tags = defineResource({ model: tags, related: [hasMany('cities', { by: 'tags' })] })
const Tagged = defineResource({
  model: cities,
  fields: {
    id: id(),
    name: text(),
    tags: belongsToMany('Tags', cityTags.tag).from(cityTags.cityId).to(tags).as('tagged').required(),
    twinIds: belongsToMany(undefined, twins.other).from(twins.one).to(cities),
  },
  computed: { count: { label: 'Twins', needs: ['twinIds'], value: ({ twinIds }) => twinIds.reduce((sum, twin) => sum + twin, 0) } },
  display: { tags: (slugs, city) => `${city.name}: ${slugs.map((slug) => slug.toUpperCase()).join()}` },
  pages: { index: ['name', 'tags', 'count'], form: ['tags', 'twinIds'] },
  filters: ['tags'],
  queryTags: { hot: { label: 'Hot', where: { tags: { has: 'hot' }, twinIds: { null: false } } } },
  scope: () => ({ twinIds: { has: 7 } }),
  table: { trAttributes: (city) => ({ 'data-tags': city.tags.length }) },
  canRecord: { delete: ({ record }) => record.tags.length === 0 },
  hooks: {
    async beforeSave({ before, values, of }) {
      const was: readonly string[] | undefined = before?.tags
      const is: readonly string[] | undefined = values.tags
      await of(Tags).create({ slug: 'x', name: 'X' })
      return { twinIds: was === is ? [1] : [] }
    },
  },
  handlers: {
    tag: {
      fields: { to: belongsToMany('Tags', cityTags.tag) },
      run: async ({ ids, update, input }) => void (await update(ids[0] ?? 1, { tags: input.to ?? [] })),
    },
  },
})
export const Log = defineResource({
  model: tags,
  hooks: {
    async afterSave({ of }) {
      const found = await of(Tagged).list({ where: { tags: { has: 'hot' } } })
      for (const city of found) await of(Tagged).update(city.id, { twinIds: city.twinIds, tags: [...city.tags, 'cold'] })
      // @ts-expect-error a key of a number column is a number
      await of(Tagged).update(1, { twinIds: ['1'] })
    },
  },
  related: [hasMany(Tagged, { by: 'twinIds' })],
})
// @ts-expect-error not a relation of that resource
hasMany(Tagged, { by: 'count' })
// @ts-expect-error a method is no field: its parentheses are missing
defineResource({ model: cities, fields: { name: text().required } })
// Nothing is known of the other fields then, so the message is at each of them.
export const said: keyof Checked<Record<string, Field<unknown, unknown>>, typeof cities>[string] =
  'one of the fields is none: does the call of a method lack its parentheses?'
// @ts-expect-error a list of records has no order
defineResource({ model: cities, fields: { tags: belongsToMany('Tags', cityTags.tag).sortable() } })
// @ts-expect-error nor is it a column to sort by
defineResource({ model: cities, fields: { tags: belongsToMany('Tags', cityTags.tag) }, sortColumn: 'tags' })
// @ts-expect-error a table is not a column of it
belongsToMany('Tags', cityTags)
// @ts-expect-error the keys of tags are texts
defineResource({ model: cities, fields: { tags: belongsToMany('Tags', cityTags.tag) }, scope: () => ({ tags: { has: 7 } }) })

// What tells of related records is no column either. Its columns are those of the other table.
const visits = sqliteTable('visits', {
  id: integer('id').primaryKey(),
  cityId: integer('city_id').notNull(),
  kind: t('kind', { enum: ['work', 'leisure'] }).notNull(),
  days: integer('days').notNull(),
  cost: numeric('cost').notNull(),
  at: integer('at', { mode: 'timestamp' }).notNull(),
})
export const Visited = defineResource({
  model: cities,
  fields: {
    id: id(),
    name: text(),
    visitCount: countOf('Visits', visits, 'cityId')
      .where({ kind: 'work', days: { gt: 1 } })
      .sortable()
      .visible(['admin']),
    days: sumOf(undefined, visits, 'cityId', 'days'),
    cost: sumOf('Cost', visits, 'cityId', 'cost').decimals(2),
    stay: averageOf('Stay', visits, 'cityId', 'days'),
    least: smallestOf('Least', visits, 'cityId', 'cost'),
    last: largestOf('Last', visits, 'cityId', 'at'),
    twins: countOf('Twins', cities, 'countryId'),
  },
  computed: {
    told: {
      label: 'Told',
      needs: ['visitCount', 'cost', 'stay', 'last'],
      value: ({ visitCount, cost, stay, last }) => `${visitCount.toFixed()} ${cost.trim()} ${stay?.toFixed()} ${last?.toISOString()}`,
    },
  },
  pages: { index: ['name', 'visitCount', 'told'], form: ['name'] },
  filters: ['visitCount', 'last'],
  sortColumn: 'visitCount',
  summary: { days: 'sum' },
  queryTags: { busy: { label: 'Busy', where: { visitCount: { gte: 5 }, last: { gte: new Date() } } } },
  display: { days: (days) => html`${days + 1}` },
  hooks: {
    beforeSave: ({ before, values }) => {
      // @ts-expect-error nobody writes it
      values.visitCount
      return before && before.visitCount > 1 ? { name: 'Busy' } : undefined
    },
  },
})
const pgVisits = pgTable('visits', { id: serial().primaryKey(), cityId: serial(), cost: pgNumeric(), day: pgDate() })
export const inPostgresql: string = sumOf('Cost', pgVisits, 'cityId', 'cost').facts.label ?? ''
largestOf('Last', pgVisits, 'cityId', 'day').sortable()
// @ts-expect-error no column of that table
countOf('Visits', visits, 'countryId')
// @ts-expect-error a table, not its column
countOf('Visits', visits.cityId, 'cityId')
// @ts-expect-error no numbers
sumOf('Kinds', visits, 'cityId', 'kind')
// @ts-expect-error nor have times a sum
sumOf('Times', visits, 'cityId', 'at')
// @ts-expect-error nor texts a largest one, unless they are times
largestOf('Kinds', visits, 'cityId', 'kind')
largestOf('Kinds', visits, 'cityId', 'kind', 'YYYY-MM-DD HH:MM:SS').sortable()
// @ts-expect-error a column of times needs no form
largestOf('Last', visits, 'cityId', 'at', 'YYYY-MM-DD HH:MM:SS')
// @ts-expect-error no such form
largestOf('Kinds', visits, 'cityId', 'kind', 'iso')
// @ts-expect-error not one of its kinds
countOf('Visits', visits, 'cityId').where({ kind: 'idle' })
// @ts-expect-error a column of the other table
countOf('Visits', visits, 'cityId').where({ population: 5 })
// @ts-expect-error nobody writes it
countOf('Visits', visits, 'cityId').required()
const counted = { n: countOf('Visits', visits, 'cityId') }
// @ts-expect-error it is a number
defineResource({ model: cities, fields: counted, queryTags: { x: { label: 'X', where: { n: 'many' } } } })
// @ts-expect-error not declared
defineResource({ model: cities, fields: counted, sortColumn: 'm' })

// `softDelete` is a time that may be null, or a boolean.
const deletable = sqliteTable('deletable', {
  id: integer('id').primaryKey(),
  at: integer('at', { mode: 'timestamp' }),
  made: integer('made', { mode: 'timestamp' }).notNull(),
  gone: integer('gone', { mode: 'boolean' }).notNull(),
  count: integer('count'),
})
defineResource({ model: deletable, softDelete: 'at' })
trashResource(defineResource({ model: deletable, softDelete: 'gone' }), { can: ['admin'], uriKey: 'bin' })
// @ts-expect-error a time that is never null
defineResource({ model: deletable, softDelete: 'made' })
// @ts-expect-error a number
defineResource({ model: deletable, softDelete: 'count' })
// @ts-expect-error no column
defineResource({ model: deletable, softDelete: 'deletedAt' })

// `reorderable` is a number that is never null.
const ordered = sqliteTable('ordered', {
  id: integer('id').primaryKey(),
  name: t('name').notNull(),
  place: real('place').notNull().default(0),
  maybe: integer('maybe'),
})
defineResource({ model: ordered, reorderable: 'place' })
// @ts-expect-error a number that may be null
defineResource({ model: ordered, reorderable: 'maybe' })
// @ts-expect-error a text
defineResource({ model: ordered, reorderable: 'name' })
// @ts-expect-error no column
defineResource({ model: ordered, reorderable: 'position' })
// What it takes is in the type, so that the compiler says it, also where no column is one.
declare const aPlace: Needs<'a number that is NOT NULL'>
declare const aDeletion: Needs<'a time that may be null, or a boolean'>
defineResource({ model: ordered, reorderable: aPlace, softDelete: aDeletion })

// What lists can save where it stands.
defineResource({
  model: ordered,
  fields: {
    id: id(),
    name: text('Name').updateOnPreview().event('named'),
    place: number('Place').updateOnPreview().updateRow('index-table-ordered'),
  },
})
// @ts-expect-error a long text has no room in a row
textarea('Notes').updateOnPreview()

// `summary` is over columns of numbers.
defineResource({ model: ordered, summary: { place: 'sum', maybe: ['sum', 'average', 'smallest', 'largest'] } })
// @ts-expect-error a text
defineResource({ model: ordered, summary: { name: 'sum' } })
// @ts-expect-error no column
defineResource({ model: ordered, summary: { position: 'sum' } })
// @ts-expect-error nothing that can be computed
defineResource({ model: ordered, summary: { place: 'median' } })

// Several files are a list of paths, over a column of lists; one is a path, over a column of text.
const claims = sqliteTable('claims', {
  id: integer('id').primaryKey(),
  photos: t('photos', { mode: 'json' }).$type<readonly string[]>(),
})
defineResource({ model: claims, fields: { id: id(), photos: image('Photos').multiple().maxFiles(3).maxBytes(10) } })
// @ts-expect-error a number of files
image('Photos').multiple().maxFiles('3')

// The lists of a form are only read. `update` takes them, whatever the type of the column says.
const noted = sqliteTable('noted', { id: integer('id').primaryKey(), words: t('words', { mode: 'json' }).$type<string[]>() })
defineResource({
  model: noted,
  handlers: {
    note: {
      fields: { words: tagsOf().required(), sizes: select().options(['a', 'b']).multiple() },
      async run({ update, create, input }) {
        await update(1, { words: input.words })
        await create({ words: input.sizes })
        // @ts-expect-error a list of numbers
        await update(1, { words: [1] })
        // @ts-expect-error no list
        await create({ words: 'a' })
      },
    },
  },
})

// A webhook tells of resources, and of what happens to their records.
const Ordered = defineResource({ model: ordered })
const webhook = { name: 'shop', url: 'https://shop.example', secret: 'x', of: [Ordered] }
definePanel({
  database: 'sqlite::memory:',
  resources: [Ordered],
  webhooks: [
    webhook,
    { ...webhook, on: ['created'], when: ({ record, previous }) => record.name !== previous?.name, roles: ['a'], retryAfter: [1] },
  ],
})
// @ts-expect-error nothing that happens to a record
definePanel({ database: 'sqlite::memory:', resources: [Ordered], webhooks: [{ ...webhook, on: ['saved'] }] })
// @ts-expect-error a table is no resource
definePanel({ database: 'sqlite::memory:', resources: [Ordered], webhooks: [{ ...webhook, of: [ordered] }] })

// With `defineWebhook`, its condition knows their fields, as JSON has them.
const Told = defineResource({
  model: cities,
  fields: { id: id(), name: text('Name'), isCapital: switcher('Capital'), population: number('P').visible(['admin']) },
})
const toBoth = { name: 'both', url: 'https://shop.example', secret: 'x', of: [Told, Ordered] }
const told = defineWebhook({
  ...webhook,
  of: [Told],
  when: ({ record, previous, resource }) =>
    record.isCapital && previous?.name !== 'Bern' && resource === 'cities' && (record.population ?? 0) > 1,
})
definePanel({
  database: 'sqlite::memory:',
  resources: [Told, Ordered],
  webhooks: [told, defineWebhook({ ...toBoth, when: (message) => message.resource === 'ordered' || message.record.isCapital })],
})
// @ts-expect-error no field
defineWebhook({ ...webhook, of: [Told], when: ({ record }) => record.isCaptal })
// @ts-expect-error no value of it
defineWebhook({ ...webhook, of: [Told], when: ({ record }) => record.name === 7 })
// @ts-expect-error not everybody sees it, so it may not be there
defineWebhook({ ...webhook, of: [Told], when: ({ record }) => record.population > 1 })
// @ts-expect-error not of each of them
defineWebhook({ ...toBoth, when: ({ record }) => record.isCapital })
// @ts-expect-error it answers at once
defineWebhook({ ...webhook, of: [Told], when: async () => true })

// A condition compares with the values of another table's column, if they are of the type of its own.
defineResource({ model: cities, scope: ({ user }) => ({ countryId: { in: valuesOf(countries, 'id', { name: user.name }) } }) })
defineResource({
  model: countries,
  queryTags: {
    all: { label: 'All', where: { id: { in: valuesOf(cities, 'countryId') } } },
    some: { label: 'Some', where: { name: { in: valuesOf(cities, 'notes', { population: { gt: 1 }, isCapital: true }) } } },
    far: { label: 'Far', where: { id: { in: valuesOf(cities, 'countryId', { id: { in: valuesOf(countries, 'capitalId') } }) } } },
    none: { label: 'None', where: not<typeof countries.$inferSelect>({ id: { in: valuesOf(cities, 'countryId') } }) },
  },
})
// @ts-expect-error no table
valuesOf(Countries, 'id')
// @ts-expect-error no column
valuesOf(countries, 'code')
// @ts-expect-error no column of that table
valuesOf(countries, 'id', { population: 1 })
// @ts-expect-error a value of another type
valuesOf(countries, 'id', { name: 1 })
// @ts-expect-error a condition that may not be there would be all rows
valuesOf(countries, 'id', undefined)
// @ts-expect-error values of another type
defineResource({ model: cities, scope: () => ({ countryId: { in: valuesOf(countries, 'name') } }) })
// @ts-expect-error values of another type, in the condition of the other table
valuesOf(countries, 'id', { capitalId: { in: valuesOf(cities, 'name') } })
// @ts-expect-error several values are no value
defineResource({ model: cities, scope: () => ({ countryId: valuesOf(countries, 'id') }) })

// A filter may follow a relation. What is there, start-up knows.
defineResource({
  model: cities,
  fields: { id: id(), countryId: belongsTo('Country', countries), name: text() },
  filters: ['name', 'countryId', 'countryId.name', 'countryId.capitalId.name'],
})
defineResource({ model: cities, filters: ['countryId.name'] })
// @ts-expect-error no relation
defineResource({ model: cities, fields: { id: id(), countryId: belongsTo('Country', countries), name: text() }, filters: ['name.length'] })
// @ts-expect-error no field
defineResource({ model: cities, fields: { id: id(), countryId: belongsTo('Country', countries) }, filters: ['country.name'] })
// @ts-expect-error no column
defineResource({ model: cities, filters: ['country.name'] })
// A column may follow relations to one record.
defineResource({
  model: cities,
  fields: { id: id(), countryId: belongsTo('Country', countries), name: text() },
  pages: { index: ['name', 'countryId.name', 'countryId.capitalId.name'] },
})
// Lists may be sorted by such columns.
defineResource({
  model: cities,
  fields: { id: id(), countryId: belongsTo('Country', countries), name: text() },
  pages: { index: ['name', 'countryId.name', 'countryId.capitalId.name'] },
  sortable: ['countryId.name'],
  sortColumn: 'countryId.name',
})
defineResource({
  model: cities,
  pages: { index: ['countryId.name'] },
  // @ts-expect-error no column of the list
  sortable: ['countryId.capitalId.name'],
})
// @ts-expect-error a field says .sortable() itself
defineResource({ model: cities, pages: { index: ['name', 'countryId.name'] }, sortable: ['name'] })
// @ts-expect-error no list is sorted by it
defineResource({ model: cities, pages: { index: ['name', 'countryId.name'] }, sortable: [], sortColumn: 'countryId.name' })
// @ts-expect-error no relation
defineResource({ model: cities, fields: { id: id(), name: text() }, pages: { index: ['name.length'] } })
// @ts-expect-error lists alone show them
defineResource({ model: cities, fields: { id: id(), countryId: belongsTo('Country', countries) }, pages: { detail: ['countryId.name'] } })
// Behind a list of related records, the type knows what is there, and how far it goes.
const Towns = defineResource({
  model: cities,
  uriKey: 'towns',
  fields: { id: id(), countryId: belongsTo('Country', countries), name: text(), population: number() },
})
const Lands = defineResource({
  model: countries,
  uriKey: 'lands',
  fields: { id: id(), name: text(), capitalId: belongsTo('Capital', cities) },
  related: [hasMany(Towns), hasMany(Towns, { name: 'big' }), hasMany('others')],
  filters: ['towns.name', 'big.population', 'towns.countryId.name', 'towns.countryId', 'others.anything', 'capitalId.name'],
})
defineResource({ model: countries, related: [hasMany(Lands)], filters: ['lands.towns.name', 'lands.big.countryId.name'] })
// @ts-expect-error no field of the list
defineResource({ model: countries, related: [hasMany(Towns)], filters: ['towns.capital'] })
// @ts-expect-error no list
defineResource({ model: countries, related: [hasMany(Towns)], filters: ['cities.name'] })
// @ts-expect-error no relation of the list
defineResource({ model: countries, related: [hasMany(Towns)], filters: ['towns.name.length'] })
// @ts-expect-error no field two lists away
defineResource({ model: countries, related: [hasMany(Lands)], filters: ['lands.towns.nope'] })
const Far = defineResource({ model: countries, uriKey: 'far', fields: { id: id() }, related: [hasMany(Lands)] })
defineResource({ model: countries, related: [hasMany(Far)], filters: ['far.lands.towns.name'] })
// @ts-expect-error a fourth relation
defineResource({ model: countries, related: [hasMany(Far)], filters: ['far.lands.towns.countryId.name'] })
// Transitions lead from every option to options.
const labelled = select('State').options({ draft: 'Draft', sent: 'Sent' })
labelled.transitions({ draft: ['sent'], sent: [] })
const listed = select('State').options(['draft', 'sent']).tones({ sent: 'good' }).required()
listed.transitions({ draft: ['sent'], sent: [] })
select('State').transitions({ open: ['done'], done: [] })
declare const names: readonly string[]
select('State')
  .options(names)
  .transitions({ open: ['done'], done: [] })
labelled.transitions({ draft: [{ to: 'sent', roles: ['editor'] }], sent: ['draft'] })
// @ts-expect-error no option
labelled.transitions({ draft: [{ to: 'lost', roles: ['editor'] }], sent: [] })
// @ts-expect-error for nobody
labelled.transitions({ draft: [{ to: 'sent' }], sent: [] })
// @ts-expect-error a list of roles
labelled.transitions({ draft: [{ to: 'sent', roles: 'editor' }], sent: [] })
// @ts-expect-error there is no such setting
labelled.transitions({ draft: [{ to: 'sent', role: ['editor'] }], sent: [] })
// @ts-expect-error no option
labelled.transitions({ draft: ['lost'], sent: [] })
// @ts-expect-error no option
listed.transitions({ draft: [], sent: [], lost: [] })
// @ts-expect-error an option is left out
listed.transitions({ draft: ['sent'] })

// A new record begins with options.
labelled.transitions({ draft: ['sent'], sent: [] }, { begins: ['draft', { to: 'sent', roles: ['editor'] }] })
select('State')
  .options(names)
  .transitions({ open: ['done'], done: [] }, { begins: ['open'] })
// @ts-expect-error no option
labelled.transitions({ draft: ['sent'], sent: [] }, { begins: ['lost'] })
// @ts-expect-error no option
listed.transitions({ draft: ['sent'], sent: [] }, { begins: [{ to: 'lost', roles: ['editor'] }] })
// @ts-expect-error for nobody
labelled.transitions({ draft: ['sent'], sent: [] }, { begins: [{ to: 'draft' }] })
// @ts-expect-error there is no such setting
labelled.transitions({ draft: ['sent'], sent: [] }, { begin: ['draft'] })

// What closes a field is a condition on the columns.
const gated = (field: typeof gates) => field
const gates = text().editableWhen({ population: { gte: 5 }, name: 'Bern' })
gated(gates)
defineResource({ model: cities, fields: { id: id(), name: gates } })
defineResource({
  model: cities,
  fields: {
    name: text()
      .editableWhen({ name: { in: ['a', 'b'] } }, 'Why')
      .required(),
  },
})
defineResource({ model: cities, fields: { name: text().editableWhen(anyOf<{ name: string }>({ name: 'a' }, { name: 'b' })) } })
// @ts-expect-error no column
defineResource({ model: cities, fields: { name: text().editableWhen({ state: 'draft' }) } })
// @ts-expect-error one of them is no column
defineResource({ model: cities, fields: { name: text().editableWhen({ name: 'a', state: 'draft' }) } })
// @ts-expect-error no value of that column
defineResource({ model: cities, fields: { name: text().editableWhen({ population: 'many' }) } })
// @ts-expect-error no operator
defineResource({ model: cities, fields: { name: text().editableWhen({ population: { over: 5 } }) } })
// @ts-expect-error of another table
defineResource({ model: cities, fields: { name: text().editableWhen(anyOf<{ state: string }>({ state: 'a' })) } })
// @ts-expect-error no condition
text().editableWhen('draft')

// The page of a record has sections, also of computed values, and they hold its fields.
const sectioned = { model: cities, fields: { id: id(), name: text(), notes: textarea() } } as const
defineResource({
  ...sectioned,
  computed: { short: { label: 'Short', needs: ['name'], value: ({ name }) => name.slice(0, 3) } },
  pages: {
    detail: ['id', { section: 'Names', fields: ['name', 'short'] }],
    more: [{ uri: 'sheet', title: 'Sheet', type: 'detail', fields: ['id', { section: 'Names', fields: ['name', 'short'] }] }],
  },
})
// @ts-expect-error no field
defineResource({ ...sectioned, pages: { detail: [{ section: 'Names', fields: ['nme'] }] } })

// The related table knows which of its columns a relation can be narrowed by; start-up knows the field.
const shops = sqliteTable('shops', { id: integer('id').primaryKey(), countryId: integer('country_id'), cityId: integer('city_id') })
defineResource({
  model: shops,
  fields: {
    id: id(),
    countryId: belongsTo('Country', countries),
    cityId: belongsTo('City', cities)
      .matching({ countryId: 'countryId' })
      .where({ isCapital: true, population: { gte: 1 }, notes: null })
      .where(anyOf<typeof cities.$inferSelect>({ isCapital: true }, { name: { startsWith: 'A' } }))
      .required(),
  },
})
belongsTo('City').where({ anything: 1 }).matching({ anything: 'countryId' })
// @ts-expect-error no column of the related table
belongsTo('City', cities).matching({ country: 'countryId' })
// @ts-expect-error the name of a field
belongsTo('City', cities).matching({ countryId: 1 })
// @ts-expect-error no column of the related table
belongsTo('City', cities).where({ capital: true })
// @ts-expect-error a switch is no text
belongsTo('City', cities).where({ isCapital: 'yes' })
// @ts-expect-error a number contains no text
belongsTo('City', cities).where({ population: { contains: '1' } })

// What a relation fills: fields of this record, with columns of the related table that hold the same.
const goods = sqliteTable('goods', {
  id: integer('id').primaryKey(),
  name: t('name').notNull(),
  price: real('price'),
  cost: numeric('cost'),
  unit: t('unit', { enum: ['kg', 'piece'] }),
})
const items = sqliteTable('items', {
  id: integer('id').primaryKey(),
  goodId: integer('good_id').notNull(),
  price: real('price').notNull(),
  cost: numeric('cost'),
  note: t('note'),
  unit: t('unit', { enum: ['kg', 'piece'] }),
  weight: t('weight', { enum: ['kg'] }),
  hidden: t('hidden'),
})
const ofItem = { id: id(), price: number(), cost: number(), note: text(), unit: select(), weight: select() }
export const Items = defineResource({
  model: items,
  fields: {
    ...ofItem,
    goodId: belongsTo('Good', goods).fills({ price: 'price', cost: 'cost', note: 'unit', unit: 'unit' }).required().where({ unit: 'kg' }),
  },
  computed: { total: { label: 'Total', needs: ['price'], value: ({ price }) => price } },
  pages: { form: ['goodId', { section: 'Money', fields: ['price', 'total'] }] },
})
hasMany(Items, { inForm: ['goodId', 'price', 'total'] })
// @ts-expect-error neither a field nor a computed value
hasMany(Items, { inForm: ['goodId', 'sum'] })
// Only start-up knows the table.
defineResource({ model: items, fields: { ...ofItem, goodId: belongsTo('Good').fills({ price: 'anything' }) } })
// @ts-expect-error no column of the related table
belongsTo('Good', goods).fills({ price: 'prize' })
// @ts-expect-error the name of a column
belongsTo('Good', goods).fills({ price: 1 })
// @ts-expect-error no column of this table
defineResource({ model: items, fields: { ...ofItem, goodId: belongsTo('Good', goods).fills({ prize: 'price' }) } })
// @ts-expect-error no field, though there is such a column
defineResource({ model: items, fields: { ...ofItem, goodId: belongsTo('Good', goods).fills({ hidden: 'name' }).required() } })
// @ts-expect-error the relation itself
defineResource({ model: items, fields: { ...ofItem, goodId: belongsTo('Good', goods).fills({ goodId: 'id' }) } })
// @ts-expect-error a text is no number
defineResource({ model: items, fields: { ...ofItem, goodId: belongsTo('Good', goods).fills({ price: 'name' }) } })
// @ts-expect-error an exact decimal is no double
defineResource({ model: items, fields: { ...ofItem, goodId: belongsTo('Good', goods).fills({ price: 'cost' }) } })
// @ts-expect-error not every unit is a weight
defineResource({ model: items, fields: { ...ofItem, goodId: belongsTo('Good', goods).fills({ weight: 'unit' }) } })

// Views of a list: by a field that can place records, with cards of what is declared.
const jobs = sqliteTable('jobs', {
  id: integer('id').primaryKey(),
  title: t('title').notNull(),
  state: t('state', { enum: ['open', 'done'] }).notNull(),
  tags: t('tags', { mode: 'json' }).$type<string[]>(),
  due: t('due'),
  at: integer('at', { mode: 'timestamp' }),
})
const ofJob = {
  id: id(),
  title: text(),
  state: select()
    .options({ open: 'Open', done: 'Done' })
    .transitions({ open: ['done'], done: [] }),
  tags: select().options(['a', 'b']).multiple(),
  due: date().sortable(),
  at: dateTime(),
}
const half = { half: { label: 'Half', needs: ['title'], value: ({ title }: { title: string }) => title } } as const
defineResource({
  model: jobs,
  fields: ofJob,
  computed: half,
  filters: ['state', 'due', 'at'],
  views: [
    view.board('state', { card: ['due', 'half'], limit: 10, none: true, initial: true }),
    view.calendar('due', { label: 'Due', period: 'week' }),
    view.calendar('at', { uri: 'hours', card: ['title'], tone: 'state' }),
  ],
})
// Without fields, start-up knows the kinds.
defineResource({ model: jobs, views: [view.board('state', { card: ['due'] }), view.calendar('due')] })
// @ts-expect-error no such field
defineResource({ model: jobs, fields: ofJob, views: [view.board('stage')] })
// @ts-expect-error a text is no option
defineResource({ model: jobs, fields: ofJob, views: [view.board('title')] })
// @ts-expect-error several options at once
defineResource({ model: jobs, fields: ofJob, views: [view.board('tags')] })
// @ts-expect-error an option has no day
defineResource({ model: jobs, fields: ofJob, views: [view.calendar('state')] })
// @ts-expect-error a day is no option
defineResource({ model: jobs, fields: ofJob, views: [view.board('due')] })
// @ts-expect-error a card of what is not declared
defineResource({ model: jobs, fields: ofJob, views: [view.board('state', { card: ['due', 'nope'] })] })
// @ts-expect-error a colour by what is not declared
defineResource({ model: jobs, fields: ofJob, views: [view.calendar('due', { card: ['title'], tone: 'nope' })] })
// @ts-expect-error no column of this table
defineResource({ model: jobs, views: [view.calendar('nope')] })
// @ts-expect-error a calendar has no columns to limit
view.calendar('due', { limit: 3 })
// @ts-expect-error: a calendar shows months or weeks
view.calendar('due', { period: 'year' })
// @ts-expect-error cards show the colours of what is on them
view.board('state', { tone: 'state' })

const listing = pgTable('listing', { id: serial().primaryKey(), words: varchar({ length: 20 }).array(), sizes: pgNumeric().array() })
const listingHere = sqliteTable('listing', { id: integer().primaryKey(), words: t({ mode: 'json' }).$type<string[]>(), name: t() })
defineResource({ model: listing, fields: { words: tagsOf().suggestions(() => ['a']) }, filters: ['words'] })
defineResource({ model: listingHere, fields: { words: tagsOf().max(3).itemMax(20).default(['a']) } })
// @ts-expect-error one text is no list
defineResource({ model: listingHere, fields: { name: tagsOf() } })
// @ts-expect-error a list has no fewest characters
tagsOf().min(3)
// @ts-expect-error a list of texts has no others as its default
tagsOf().default('a')

const hours = pgTable('hours', { id: serial().primaryKey(), opens: pgTime(), closes: varchar({ length: 5 }), sizes: pgNumeric().array() })
defineResource({ model: hours, fields: { opens: time().seconds().min('08:00'), closes: time().default('17:30') }, filters: ['opens'] })
// @ts-expect-error a list is no time
defineResource({ model: hours, fields: { sizes: time() } })
// @ts-expect-error a number is no time
time().min(8)
