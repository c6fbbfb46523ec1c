import { sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import { blob, integer, real, sqliteTable, sqliteView, uniqueIndex, text as varchar } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { jsEvent } from '../../base/event.js'
import type { Field } from '../../field/field.js'
import { belongsTo } from '../../field/kinds/belongs-to.js'
import { belongsToMany } from '../../field/kinds/belongs-to-many.js'
import { date } from '../../field/kinds/date.js'
import { dateTime } from '../../field/kinds/date-time.js'
import { email } from '../../field/kinds/email.js'
import { id } from '../../field/kinds/id.js'
import { number } from '../../field/kinds/number.js'
import { select } from '../../field/kinds/select.js'
import { switcher } from '../../field/kinds/switcher.js'
import { text } from '../../field/kinds/text.js'
import { textarea } from '../../field/kinds/textarea.js'
import { hasMany } from '../components/has-many.js'
import { tableBuilder } from '../components/table-builder.js'
import { defineResource } from '../define.js'
import { pageContext } from '../page.js'
import { definePage } from '../pages/own-page.js'
import { view } from '../pages/view.js'
import { placeTables } from '../relation/reach.js'
import type { Resource } from '../resource.js'
import { countOf, largestOf, sumOf } from '../tally-fields.js'
import { trashResource } from '../trash-resource.js'
import { checkResources } from './check.js'

const countries = sqliteTable('countries', { id: integer('id').primaryKey(), name: varchar('name').notNull(), _odd: varchar('odd') })
const bracketed = sqliteTable('bracketed', { id: integer('id').primaryKey(), 'a]b': varchar('a') })
const cities = sqliteTable('cities', {
  id: integer('id').primaryKey(),
  name: varchar('name').notNull(),
  countryId: integer('country_id').references(() => countries.id),
  isCapital: integer('is_capital', { mode: 'boolean' }).notNull(),
  passwordHash: varchar('password_hash'),
})
const sorts = pg.pgTable('sorts', {
  id: pg.integer().primaryKey(),
  name: pg.text(),
  short: pg.varchar({ length: 8 }),
  small: pg.smallint(),
  count: pg.integer(),
  state: pg.text({ enum: ['free', 'paid'] }),
  tags: pg.jsonb(),
  states: pg.text({ enum: ['free', 'paid'] }).array(),
  at: pg.timestamp({ precision: 0 }),
  price: pg.numeric(),
})
const Countries = defineResource({ model: countries, fields: { id: id(), name: text() } })
const placed = { fields: { id: id(), name: select().options(['a', 'b']) }, filters: ['name'], views: [view.board('name')] }
const timed = { fields: { ...placed.fields, passwordHash: date() }, filters: ['passwordHash'] }
const declare = (spec: object): Resource => defineResource({ model: cities, ...spec } as never)
const ids = (...resources: Resource[]) => checkResources(resources).problems.map((one) => one.id)

describe('a model that is no table', () => {
  it.each<[what: unknown, says: string]>([
    [undefined, 'not undefined: is the table imported'],
    [null, 'not null'],
    ['countries', 'not a string'],
    [{}, 'not this object'],
    [sqliteView('all_countries', {}).existing(), 'not a view'],
  ])('%s', (model, says) => expect(() => defineResource({ model } as never)).toThrow(`made with sqliteTable or pgTable, ${says}`))
})

describe('who may see a field', () => {
  it.each(['admin', null, undefined, () => true, [1]])('is no policy: %s', (rule) => {
    for (const name of [text().visible(rule as never), text().editable(rule as never)])
      expect(ids(Countries, declare({ fields: { id: id(), name } }))).toEqual(['field-methods'])
  })
})

describe('start-up checks', () => {
  it('lets what is right pass', () => {
    const { problems, links } = checkResources([Countries, declare({})])
    expect(problems).toEqual([])
    expect([...links].map(([field, target]) => [field.key, target.uriKey])).toEqual([['countryId', 'countries']])
  })

  it('lets a list have views, and says at once of a setting that is none', () => {
    const both = [view.board('name', { card: ['passwordHash'] }), view.calendar('passwordHash', { tone: 'name' })]
    const fields = { ...timed.fields, name: select().options(['', 'a']).tones({ a: 'good' }) }
    // Where a value is needed, a text without letters is one.
    expect(ids(Countries, declare({ ...placed, fields, filters: ['name', 'passwordHash'], views: both }))).toEqual([])
    expect(() => view.board('name', { cards: ['id'] } as never)).toThrow(
      'unknown setting "cards". Valid: label, uri, initial, card, limit, none',
    )
  })

  it('lets a record be called by the key of another one if that is a text', () => {
    const currencies = sqliteTable('currencies', { code: varchar().primaryKey() })
    const prices = sqliteTable('prices', {
      id: integer().primaryKey(),
      code: varchar()
        .notNull()
        .references(() => currencies.code),
    })
    const all = [defineResource({ model: currencies }), defineResource({ model: prices, column: 'code' })]
    expect(checkResources(all).problems).toEqual([])
  })

  it('refuses a default that drizzle-kit pull has put into quotes', () => {
    const faultsOf = (column: ReturnType<typeof varchar>) =>
      checkResources([defineResource({ model: sqliteTable('pulled', { id: integer().primaryKey(), made: column }) })]).problems
    expect(faultsOf(varchar().default("sql`(datetime('now'))`"))).toEqual([
      {
        id: 'column-default',
        where: 'pulled.fields.made',
        text: expect.stringContaining("in the schema, write .default(sql`(datetime('now'))`)"),
      },
    ])
    expect(faultsOf(varchar().default(sql`(datetime('now'))`))).toEqual([])
    expect(faultsOf(varchar().default('sql'))).toEqual([])
  })

  it('warns of a column whose display leaves no room for the control that saves its value', () => {
    const live = { id: id(), name: text('Name'), isCapital: switcher().updateOnPreview(), countryId: belongsTo() }
    const warned = (more: object) =>
      checkResources([Countries, declare({ fields: live, ...more })]).warnings.filter((one) => one.id === 'display-live')
    expect(warned({ display: { isCapital: () => 'x' } }).map(({ where }) => where)).toEqual(['cities.display.isCapital'])
    expect(warned({ display: { name: () => 'x' } })).toEqual([])
    expect(warned({})).toEqual([])
  })

  it.each<[id: string, spec: object]>([
    ['uri-form', { uriKey: 'Cities!' }],
    ['view', { fields: { id: id() }, views: [view.board('nope')] }],
    ['view', { fields: { id: id(), name: text() }, filters: ['name'], views: [view.board('name')] }],
    ['view', { fields: { id: id(), name: text() }, filters: ['name'], views: [view.calendar('name')] }],
    [
      'view',
      {
        ...placed,
        fields: { id: id(), passwordHash: select().options(['', 'a']) },
        filters: ['passwordHash'],
        views: [view.board('passwordHash')],
      },
    ],
    ['view', { ...timed, views: [view.calendar('passwordHash', { tone: 'name' })] }],
    ['view', { ...timed, views: [view.calendar('passwordHash', { tone: 'nope' })] }],
    ['view', { ...timed, views: [view.calendar('passwordHash', { period: 'year' as never })] }],
    ['view', { ...placed, filters: [] }],
    ['view', { ...placed, views: [view.board('name', { card: ['nope'] })] }],
    ['view', { ...placed, views: [view.board('name', { limit: 0 })] }],
    ['view', { ...placed, views: [view.board('name', { uri: 'A board' })] }],
    ['view', { ...placed, views: [view.board('name', { uri: 'table' })] }],
    ['view', { ...placed, views: [view.board('name'), view.board('name')] }],
    ['view', { ...placed, views: [view.board('name', { initial: true }), view.board('name', { initial: true, uri: 'b' })] }],
    ['field-column', { fields: { nope: text() } }],
    ['field-kind', { fields: { isCapital: text() } }],
    ['computed-name', { computed: { name: { label: 'N', needs: [], value: () => 1 } } }],
    ['computed-needs', { computed: { x: { label: 'X', needs: ['nope'], value: () => 1 } } }],
    ['page-field', { pages: { index: ['nope'] } }],
    ['page-field', { pages: { index: ['name', 'name'] } }],
    ['page-uri', { pages: { crud: ['name'] } }],
    ['page-unknown', { pages: { lists: ['name'] } }],
    ['filter', { fields: { id: id() }, filters: ['name'] }],
    ['filter', { model: bracketed, fields: { id: id(), 'a]b': text() }, filters: ['a]b'] }],
    ['sort-column', { sortColumn: 'nope' }],
    ['sort-column', { sortColumn: 'countryId.name' }],
    ['sort-column', { pages: { index: ['countryId.name'] }, sortable: [], sortColumn: 'countryId.name' }],
    ['sortable', { sortable: ['countryId.name'] }],
    ['sortable', { sortable: ['name'] }],
    ['sortable', { pages: { index: ['countryId.nope'] }, sortable: ['countryId.nope'] }],
    ['show-when', { fields: { id: id(), name: text(), passwordHash: text().showWhen('nope') } }],
    ['show-when', { fields: { id: id(), passwordHash: text().showWhen('passwordHash') } }],
    ['show-when', { fields: { id: id(), isCapital: switcher(), passwordHash: text().showWhen('isCapital', 'yes') } }],
    ['show-when', { fields: { id: id(), isCapital: switcher(), name: text().showWhen('isCapital', true) } }],
    ['related-by', { related: [hasMany('countries')] }],
    ['component-resource', { related: [hasMany('nope')] }],
    ['component-name', { related: [hasMany('countries', { name: 'Its' })] }],
    ['version-column', { version: 'nope' }],
    ['label-column', { column: 'nope' }],
    ['label-column', { column: 'countryId' }],
    ['label-column', { column: 'countryId', fields: { id: id(), name: text() } }],
    ['setting-number', { itemsPerPage: 0 }],
    ['items-per-page', { itemsPerPage: 500 }],
    ['setting-value', { sortDirection: 'UP' }],
    ['setting-value', { clickAction: 'DELETE' }],
    ['setting-value', { count: 'none' }],
    ['setting-value', { stickyTable: 'yes' }],
    ['setting-value', { isAsync: 1 }],
    ['setting-value', { usePagination: null }],
    ['page-field', { pages: { more: [{ uri: 'short', title: 'Short', type: 'index' }] } }],
    ['row-update-id', { fields: { name: text(), isCapital: switcher().updateRow('index-table-cities') } }],
    ['row-update-async', { fields: { id: id(), isCapital: switcher().updateRow('index-table-cities') }, isAsync: false }],
    ['handler-safe', { handlers: { report: { method: 'GET', run: () => {} } } }],
    ['button-handler', { buttons: [{ label: 'Go', handler: 'nope' }] }],
    ['record-view-scope', { canRecord: { view: () => true } }],
    ['setting-unknown', { scoope: () => ({}) }],
    ['setting-unknown', { handlers: { purge: { roles: ['admin'], run: () => {} } } }],
    ['setting-unknown', { methods: { purge: { long: true, run: () => {} } } }],
    ['icon', { icon: 'nothing' }],
    ['icon', { buttons: [{ label: 'Go', href: '/', icon: 'nothing' }] }],
    ['setting-value', { activeActions: ['view', 'list'] }],
    ['comments', { comments: true, activeActions: ['create', 'update'] }],
    ['ability', { can: { udpate: ['admin'] } }],
    ['ability', { canRecord: { updaet: () => false } }],
    ['ability', { hooks: { beforeSaev: () => {} } }],
    ['ability', { handlers: { purge: { ability: 'purge', run: () => {} } } }],
    ['policy', { can: ['admin'] }],
    ['policy', { can: { update: 'admin' } }],
    ['policy', { can: { update: [['admin']] } }],
    ['policy', { can: { update: null } }],
    ['policy', { can: { update: async () => true } }],
    ['policy', { canRecord: () => false }],
    ['policy', { canRecord: { update: false } }],
    ['policy', { canRecord: { update: async () => false } }],
    ['policy', { handlers: { purge: { can: 'admin', run: () => {} } } }],
    ['policy', { handlers: { purge: { canRecord: true, run: () => {} } } }],
    ['policy', { methods: { purge: { canRecord: async () => true, run: () => {} } } }],
    ['policy', { scope: { id: 1 } }],
    ['policy', { scope: async () => ({ id: 1 }) }],
    ['policy', { validate: async () => null }],
    ['policy', { hooks: { afterSave: 'log' } }],
    ['policy', { pages: { more: [{ uri: 'few', title: 'Few', type: 'index', fields: ['name'], can: 'admin' }] } }],
    ['relation', { fields: { id: id(), name: belongsTo('Name') } }],
  ])('%s: %j', (wanted, spec) => {
    expect(ids(Countries, declare(spec))).toContain(wanted)
  })

  it.each<[says: string, updates: object, async: boolean | undefined, tableOf: string]>([
    ['no table is named "nope". Valid: index-table-countries, index-table-cities, few', switcher().updateRow('nope'), true, 'cities'],
    ['the table "few" is not asynchronous', switcher().updateRow('few'), false, 'cities'],
    ['the table "few" is not asynchronous', switcher().event(jsEvent('TABLE_ROW_UPDATED', 'few-{row-id}')), false, 'cities'],
    ['the table "few" is not asynchronous', switcher().updateRow('few'), undefined, 'countries'],
  ])('says that no row can be updated: %s', (says, isCapital, async, tableOf) => {
    const Still = defineResource({ model: countries, fields: { id: id(), name: text() }, isAsync: false })
    const page = (own: boolean | undefined) =>
      definePage({
        uri: 'few',
        title: 'Few',
        components: [tableBuilder(tableOf, { name: 'few', ...(own !== undefined && { async: own }) })],
      })
    const Cities = declare({ fields: { id: id(), name: text(), isCapital } })
    const { problems } = checkResources([Still, Cities], [page(async)])
    expect(problems).toEqual([{ id: 'row-update-table', where: 'cities.fields.isCapital', text: expect.stringContaining(says) }])
    const found = checkResources(
      [Still, declare({ fields: { id: id(), name: text(), isCapital: switcher().updateRow('few') } })],
      [page(true)],
    )
    expect(found.problems).toEqual([])
    const onRecord = defineResource({ model: countries, fields: { id: id(), name: text() }, related: [hasMany('cities', { name: 'few' })] })
    const relating = { id: id(), name: text(), countryId: belongsTo('Country'), isCapital: switcher().updateRow('few') }
    expect(ids(onRecord, declare({ fields: relating }))).toEqual([])
  })

  it('takes a field that depends on another one', () => {
    expect(ids(declare({ fields: { id: id(), isCapital: switcher(), passwordHash: text().showWhen('isCapital', true) } }))).toEqual([])
  })

  it.each<[says: string, fields: object]>([
    ['no value can be at least 10 and at most 5', { name: text().min(10).max(5) }],
    ['max(-1) is not a number of characters', { name: text().max(-1) }],
    ['min(1.5) is not a number of characters', { name: textarea().min(1.5) }],
    ['no value can be at least 9 where the column takes 8', { short: text().min(9) }],
    ['no value can be at least 2 and at most 1', { count: number().min(2).max(1) }],
    ['there is no whole number from 0.2 to 0.8', { count: number().min(0.2).max(0.8) }],
    ['min(NaN) is not a number', { count: number().min(Number.NaN) }],
    ['the column takes -32768 to 32767', { small: number().min(40_000) }],
    ['decimals(-1)', { count: number().decimals(-1) }],
    ['no value can be at least 2026-02-01 and at most 2026-01-01', { name: date().min('2026-02-01').max('2026-01-01') }],
    ["min('2026-2-1') is not a day", { name: date().min('2026-2-1') }],
    ['it has no options', { name: select() }],
    ['.multiple() needs a json column or a list, and this one is text', { name: select().options(['a']).multiple() }],
    ['the field rejects its own default', { name: text().max(2).default('abc') }],
    ['the field rejects its own default', { state: select().options(['paid']).default('free') }],
    ['the field rejects its own default', { count: number().min(1).default(0) }],
    ["the field rejects its own default, '1'", { count: number().default('1') }],
    ["the field rejects its own default, 'tomorrow'", { at: dateTime().default('tomorrow') }],
    ['the field rejects its own default, 2026-01-01T00:00:00.500Z', { at: dateTime().default(new Date('2026-01-01T00:00:00.500Z')) }],
    ["the field rejects its own default, 'much'", { price: number().default('much') }],
    ['its column is a text: in SQLite, say how it holds times', { name: dateTime() }],
    ['.stored() is for text columns of SQLite, and this one is of type dateTime', { at: dateTime().stored('YYYY-MM-DD HH:MM:SS') }],
    [`.stored() takes 'YYYY-MM-DD HH:MM:SS', or with T`, { name: dateTime().stored('iso' as never) }],
    ['.stored() is for text columns of SQLite, and this one is of type text', { name: dateTime().stored('YYYY-MM-DD HH:MM:SS') }],
    ['the column is a list', { states: select() }],
    ['updateOnPreview() saves one value', { states: select().multiple().updateOnPreview() }],
    ["the column's own enum has not gold, tin. It has: free, paid", { state: select().options(['paid', 'gold', 'tin']) }],
  ])('names what the methods of a field say that cannot be: %s', (says, fields) => {
    const { problems } = checkResources([defineResource({ model: sorts, fields: { id: id(), ...fields } } as never)])
    expect(problems).toMatchObject([{ id: 'field-methods', where: `sorts.fields.${Object.keys(fields)[0]}` }])
    expect(problems[0]?.text).toContain(says)
  })

  it('takes what its methods may say', () => {
    const fields = {
      id: id(),
      name: text().min(0).max(1).default(''),
      short: text().max(200),
      small: number().min(0).max(99_999),
      count: number().min(1).max(1).decimals(0),
      state: select().options({ paid: 'Paid' }).default('paid'),
      tags: select().options(['a']).multiple(),
      states: select().multiple(),
    }
    expect(ids(defineResource({ model: sorts, fields } as never))).toEqual([])
  })

  it('lets a field depend on one of several choices, and on none that there is not', () => {
    const on = (choice: string) => ({ id: id(), tags: select().options(['a']).multiple(), name: text().showWhen('tags', choice) })
    expect(ids(defineResource({ model: sorts, fields: on('a') } as never))).toEqual([])
    expect(ids(defineResource({ model: sorts, fields: on('b') } as never))).toEqual(['show-when'])
  })

  it('asks the fields of actions for it, too', () => {
    const action = { fields: { a: text().min(2).max(1), b: select(), c: select().options(['x']).multiple() }, run: () => {} }
    const { problems } = checkResources([declare({ handlers: { go: action } })])
    expect(problems.map(({ id: one, where }) => [one, where])).toEqual([
      ['field-methods', 'cities.handlers.go.fields.a'],
      ['field-methods', 'cities.handlers.go.fields.b'],
    ])
  })

  it('names a form name that would be the panel’s', () => {
    expect(ids(defineResource({ model: countries, fields: { id: id(), _odd: text() } }))).toContain('field-name')
  })

  it('names a derived one, too: what is typed into it would be lost', () => {
    const odd = sqliteTable('odd', { id: integer().primaryKey(), _note: varchar() })
    expect(checkResources([defineResource({ model: odd })]).problems).toMatchObject([{ id: 'field-name', where: 'odd.fields._note' }])
    expect(ids(defineResource({ model: odd, fields: { id: id() } }))).toEqual([])
  })

  it('wants every uriKey once', () => {
    expect(ids(Countries, Countries)).toContain('resource-uri')
  })

  it('wants to know which of several resources a relation leads to, and takes the answer', () => {
    const other = defineResource({ model: countries, uriKey: 'old-countries', fields: { id: id(), name: text() } })
    const [problem] = checkResources([Countries, other, declare({ fields: { id: id(), countryId: belongsTo() } })]).problems
    expect(problem).toMatchObject({ id: 'relation', where: 'cities.fields.countryId' })
    expect(problem?.text).toContain('countries, old-countries')
    expect(ids(Countries, other, declare({ fields: { id: id(), countryId: belongsTo().resource('old-countries') } }))).toEqual([])
  })

  it('wants a relation to lead where the foreign key of its column does', () => {
    const other = sqliteTable('other', { id: integer('id').primaryKey() })
    const named = (model: typeof countries | typeof other) => declare({ fields: { id: id(), countryId: belongsTo('Country', model) } })
    const [problem] = checkResources([Countries, defineResource({ model: other }), named(other)]).problems
    expect(problem).toMatchObject({ id: 'relation', where: 'cities.fields.countryId' })
    expect(problem?.text).toContain('references the table "countries", but the relation names "other"')
    expect(ids(Countries, named(countries))).toEqual([])
    // Two Drizzle tables for one database table: one of the application, one of the panel.
    const again = sqliteTable('countries', { id: integer('id').primaryKey() })
    expect(ids(defineResource({ model: again }), declare({ fields: { id: id(), countryId: belongsTo('Country', again) } }))).toEqual([])
  })

  it('knows a foreign key to its own table as Drizzle Kit writes it, by the columns that a constraint gets', () => {
    const model = pg.pgTable('departments', { id: pg.serial().primaryKey(), parentId: pg.integer('parent_id') }, (table) => [
      pg.foreignKey({ columns: [table.parentId], foreignColumns: [table.id] }),
    ])
    const Departments = defineResource({ model, fields: { id: id(), parentId: belongsTo('Part of') } })
    expect(checkResources([Departments]).problems).toEqual([])
  })

  it('wants a relation to hold a key of the type that the related resource has', () => {
    const coded = sqliteTable('coded', { code: varchar('code').primaryKey() })
    const Coded = defineResource({ model: coded })
    const model = sqliteTable('uses', {
      id: integer('id').primaryKey(),
      number: integer('number'),
      code: varchar('code'),
      wrong: integer('wrong').references(() => coded.code as never),
    })
    const uses = (fields: object) => checkResources([Coded, defineResource({ model, fields: { id: id(), ...fields } } as never)]).problems
    expect(uses({ code: belongsTo('Code', coded) })).toEqual([])
    expect(uses({ number: belongsTo('Code', coded) })).toMatchObject([
      { id: 'relation', where: 'uses.fields.number', text: 'its column is of type integer, and the key of coded is "code", of type text' },
    ])
    expect(uses({ wrong: belongsTo() })).toMatchObject([{ id: 'relation', where: 'uses.fields.wrong' }])
  })

  it('says which relation has no name to follow it by', () => {
    const model = sqliteTable('streets', {
      id: integer('id').primaryKey(),
      country: integer('country').references(() => countries.id),
      otherId: integer('other_id').references(() => countries.id),
      other: varchar('other'),
      thirdId: integer('third_id').references(() => countries.id),
      fourthID: integer('FourthID').references(() => countries.id),
      GUID: integer('GUID').references(() => countries.id),
    })
    const found = (fields?: object) => {
      const { problems, warnings } = checkResources([Countries, defineResource({ model, ...(fields && { fields }) } as never)])
      return [...problems, ...warnings].map(({ id: one, where, text }) => [one, where, text])
    }
    expect(found()).toEqual([
      [
        'relation-name',
        'streets.country',
        expect.stringContaining("the field itself, whose key does not end in Id; declare it as `belongsTo().as('…')`"),
      ],
      ['relation-name', 'streets.otherId', expect.stringContaining('"other" is a field')],
      ['relation-name', 'streets.GUID', expect.stringContaining('the field itself')],
    ])
    expect(defineResource({ model }).fields.get('fourthID')?.label).toBe('Fourth')
    const rest = { id: id(), other: text() }
    expect(found({ ...rest, country: belongsTo().as('nation'), otherId: belongsTo().as('second'), thirdId: belongsTo() })).toEqual([])
    expect(found({ ...rest, country: belongsTo().as('other') })).toEqual([
      ['relation-name', 'streets.fields.country', ".as('other'): a field has this name; choose another one"],
    ])
    expect(found({ ...rest, country: belongsTo().as('third'), thirdId: belongsTo().as('third') })).toMatchObject([
      ['relation-name', 'streets.fields.thirdId', expect.stringContaining('the relation of "country"')],
    ])
  })

  it('says what is wrong with what is told of related records', () => {
    const visits = sqliteTable('visits', {
      id: integer().primaryKey(),
      cityId: integer('city_id').references(() => cities.id),
      countryId: integer('country_id').references(() => countries.id),
      byName: varchar('by_name').references(() => cities.name),
      text: varchar(),
      at: integer({ mode: 'timestamp' }),
      days: integer(),
    })
    const inPg = pg.pgTable('visits', { id: pg.integer().primaryKey(), cityId: pg.integer() })
    const said = (fields: object, more: object = {}, ...others: Resource[]) => {
      const all = [Countries, declare({ fields: { id: id(), ...fields }, ...more }), ...others]
      placeTables(all, 'sqlite:here.db')
      return checkResources(all).problems.map(({ id, where, text }) => [id, where, text])
    }
    const of = (visitCount: object) => said({ visitCount })
    const tally = (text: string, key = 'visitCount') => [['tally', `cities.fields.${key}`, expect.stringContaining(text)]]
    const counted = countOf('Visits', visits, 'cityId')
    expect(of(counted.where({ days: { gt: 1 } }).sortable())).toEqual([])
    expect(of(largestOf('Last', visits, 'cityId', 'at'))).toEqual([])
    expect(of(countOf('Visits', visits, 'days'))).toEqual([])
    expect(said({ countryId: counted })).toEqual(tally('a column has this name', 'countryId'))
    expect(of(countOf('Visits', undefined as never, 'id' as never))).toEqual(tally('name the Drizzle table'))
    expect(of(countOf('Visits', visits, 'city' as never))).toEqual(tally('"city" is not a column of "visits". Valid: id, cityId'))
    expect(of(countOf('Visits', visits, 'countryId'))).toEqual(tally('refers to "countries", not to "cities". Valid: cityId, byName'))
    expect(of(countOf('Visits', visits, 'byName'))).toEqual(tally('refers to this record by "name", and its key is "id"'))
    expect(of(countOf('Visits', visits, 'text'))).toEqual(tally('is of type text, and the key "id" of type integer'))
    const mood = pg.pgEnum('mood', ['good', 'bad'])
    const moods = pg.pgTable('moods', { id: mood().primaryKey() })
    const days = pg.pgTable('days', { id: pg.integer().primaryKey(), mood: mood(), text: pg.text() })
    const inMood = (by: 'mood' | 'text') => said({ dayCount: countOf('Days', days, by) }, { model: moods, uriKey: 'cities' })
    expect(inMood('mood')).toEqual([])
    expect(inMood('text')).toEqual(tally('is stored in another way than the key "id"', 'dayCount'))
    expect(of(countOf('Visits', inPg, 'cityId'))).toEqual(tally('is not of the same database as "cities"'))
    expect(of(sumOf('At', visits, 'cityId', 'at' as never))).toEqual(tally('holds no numbers. Valid: id, cityId, countryId, days'))
    expect(of(largestOf('Text', visits, 'cityId', 'text' as 'days'))).toEqual(tally('holds no numbers or times. Valid: id,'))
    expect(of(largestOf('Text', visits, 'cityId', 'text', 'YYYY-MM-DD HH:MM:SS'))).toEqual([])
    expect(of(largestOf('Text', visits, 'cityId', 'text', 'iso' as never))).toEqual(
      tally(`holds times is written as 'YYYY-MM-DD HH:MM:SS'`),
    )
    expect(of((largestOf as (...all: unknown[]) => object)('At', visits, 'cityId', 'at', 'YYYY-MM-DD HH:MM:SS'))).toEqual(
      tally('"at" of "visits" is no text column of SQLite'),
    )
    expect(of(counted.where({ day: 1 } as never))).toEqual(tally('.where(): A condition names "day", which is not a column. Valid: id'))
    expect(of(counted.where({ at: { within: 'today' } }))).toEqual(tally('.where(): within means other records tomorrow'))
    expect(of((counted as never as { required(): object }).required())).toEqual(tally('nobody writes it'))
    expect(of(counted.decimals(-1))).toEqual([['field-methods', 'cities.fields.visitCount', expect.stringContaining('decimals(-1)')]])
    expect(said({ visitCount: counted }, { model: { table: cities, transaction: async () => {} } })).toEqual(
      tally('a store of your own tells nothing'),
    )
    const Elsewhere = defineResource({ model: visits, fields: { id: id() }, database: 'sqlite:other.db' })
    expect(said({ visitCount: counted }, {}, Elsewhere)).toEqual(tally('those of "visits", which are in another database'))
    // That of the panel, by its name.
    const Here = defineResource({ model: visits, fields: { id: id() }, database: 'sqlite:here.db' })
    expect(said({ visitCount: counted }, {}, Here)).toEqual([])
    expect(said({ visitCount: counted }, { pages: { form: ['visitCount'] }, massUpdate: ['visitCount'], column: 'visitCount' })).toEqual([
      ['mass-update', 'cities.massUpdate', expect.stringContaining('"visitCount" cannot be changed in a form')],
      ['label-column', 'cities.column', expect.stringContaining('"visitCount" is neither a column nor a computed value')],
    ])
  })

  it('says what is wrong with a link table', () => {
    const toCity = () => integer().references(() => cities.id)
    const toCountry = () => integer().references(() => countries.id)
    const links = sqliteTable('links', { city: toCity(), country: toCountry(), loose: integer() })
    const twice = sqliteTable('twice', { one: toCity(), two: toCity(), country: toCountry() })
    const full = sqliteTable('full', { city: toCity(), country: toCountry(), since: varchar().notNull() })
    const byName = sqliteTable('by_name', { city: varchar().references(() => cities.name), country: toCountry() })
    const asBytes = sqliteTable('as_bytes', { city: blob({ mode: 'bigint' }).references(() => cities.id), country: toCountry() })
    const inPg = pg.pgTable('in_pg', { city: pg.integer(), country: pg.integer() })
    const said = (fields: object, more: object = {}) =>
      checkResources([Countries, declare({ fields: { id: id(), ...fields }, ...more })]).problems.map(({ id, where, text }) => [
        id,
        where,
        text,
      ])
    const of = (field: object) => said({ countryIds: field })
    const link = (text: string) => [['link', 'cities.fields.countryIds', expect.stringContaining(text)]]
    expect(of(belongsToMany('Countries', links.country))).toEqual([])
    expect(of(belongsToMany('Countries', links.loose).from(links.city).to(countries))).toEqual([])
    expect(of(belongsToMany('Twins', twice.two))).toEqual([])
    expect(of(belongsToMany('Countries', links as never))).toEqual(link('name the column of the link table'))
    expect(of(belongsToMany('Countries', cities.countryId))).toEqual(link('"cities" is its own table'))
    expect(of(belongsToMany('Countries', inPg.country))).toEqual(link('"in_pg" is not of the same database as "cities"'))
    expect(of(belongsToMany('Cities', links.city))).toEqual(link('no other column of the link table has a foreign key to "cities"'))
    expect(of(belongsToMany('Countries', twice.country))).toEqual(link('say which is of this record, .from(column). Valid: one, two'))
    expect(of(belongsToMany('Countries', links.country).from(links.country))).toEqual(link('.from() takes the other column'))
    expect(of(belongsToMany('Countries', links.country).from(twice.one))).toEqual(link('.from() takes the other column'))
    expect(of(belongsToMany('Countries', full.country))).toEqual(link('"since" of the link table would stay empty'))
    expect(of(belongsToMany('Countries', byName.country))).toEqual(link('refers to this record by "name", and its key is "id"'))
    expect(of(belongsToMany('Countries', asBytes.country))).toEqual(
      link('"city" of the link table is of type bigint, and the key "id" of type integer'),
    )
    expect(of(belongsToMany('Cities', asBytes.city).from(asBytes.country))).toEqual([
      ['relation', 'cities.fields.countryIds', expect.stringContaining('its column is of type bigint')],
    ])
    expect(said({ name: belongsToMany('Countries', links.country) })).toContainEqual([
      'link',
      'cities.fields.name',
      'a column has this name; choose another one',
    ])
    expect(
      said({ countryIds: belongsToMany('Countries', links.country) }, { model: { table: cities, transaction: async () => {} } }),
    ).toEqual(link('a store of your own has no link tables'))
    expect(of(belongsToMany('Countries', links.country).sortable())).toEqual([
      ['field-methods', 'cities.fields.countryIds', expect.stringContaining('no order')],
    ])
    expect(of(belongsToMany('Countries', links.country).max(0))).toEqual([
      ['field-methods', 'cities.fields.countryIds', expect.stringContaining('at least 1')],
    ])
    expect(of(belongsToMany('Countries', links.loose).from(links.city))).toEqual([
      ['relation', 'cities.fields.countryIds', expect.stringContaining('.to(table)')],
    ])
    expect(
      said(
        { countryIds: belongsToMany('Countries', links.country) },
        { sortColumn: 'countryIds', version: 'countryIds', column: 'countryIds' },
      ).map(([id]) => id),
    ).toEqual(['sort-column', 'version-column', 'label-column'])
    expect(said({}, { handlers: { go: { fields: { to: belongsToMany('Countries', links.country) }, run() {} } } })).toEqual([])
    expect(said({}, { handlers: { go: { fields: { to: belongsToMany('X', {} as never) }, run() {} } } })).toEqual([
      ['relation', 'cities.handlers.go.fields.to', expect.any(String)],
    ])
  })

  it('says what to change and lists the valid names', () => {
    const [problem] = checkResources([Countries, declare({ fields: { id: id(), nmae: text(), countryId: belongsTo() } })]).problems
    expect(problem).toEqual({
      id: 'field-column',
      where: 'cities.fields.nmae',
      text: '"nmae" is not a column. Valid: id, name, countryId, isCapital, passwordHash',
    })
  })

  it('leaves out what looks like a secret, and says so', () => {
    const one = declare({})
    expect(one.fields.has('passwordHash')).toBe(false)
    expect(checkResources([Countries, one]).warnings).toMatchObject([{ id: 'derived-secret', where: 'cities.passwordHash' }])
  })

  it('leaves out what no kind holds, and says how to make one', () => {
    const model = pg.pgTable('shifts', { id: pg.integer().primaryKey(), from: pg.time({ withTimezone: true }), place: pg.point() })
    const { warnings } = checkResources([defineResource({ model })])
    expect(warnings.map(({ id: one, where, text }) => [one, where, /`defineKind` whose `columns` have '(\w+)'/.exec(text)?.[1]])).toEqual([
      ['derived-kind', 'shifts.from', 'other'],
      ['derived-kind', 'shifts.place', 'other'],
    ])
  })

  it('says where no record could ever be created', () => {
    const spec = { fields: { id: id(), name: text() } }
    const warned = (more: object) => checkResources([declare({ ...spec, ...more })]).warnings.map((one) => [one.id, one.where])
    expect(warned({})).toEqual([['create-needs', 'cities.isCapital']])
    expect(warned({ hooks: { beforeSave: () => {} } })).toEqual([])
    expect(warned({ activeActions: ['view', 'update'] })).toEqual([])
    expect(warned({ can: { create: false } })).toEqual([])
  })

  it('says where nobody could find what was deleted', () => {
    const model = sqliteTable('notes', { id: integer().primaryKey(), deletedAt: integer({ mode: 'timestamp' }) })
    const Notes = defineResource({ model, softDelete: 'deletedAt' })
    const Others = defineResource({ model, uriKey: 'others', softDelete: 'deletedAt' })
    const warned = (...resources: Resource[]) => checkResources(resources).warnings.map((one) => [one.id, one.where])
    expect(warned(Notes)).toEqual([['no-trash', 'notes.softDelete']])
    expect(warned(Notes, trashResource(Notes), Others)).toEqual([])
    expect(warned(defineResource({ model, softDelete: 'deletedAt', activeActions: ['create', 'view', 'update'] }))).toEqual([])
    expect(warned(defineResource({ model }))).toEqual([])
  })

  it('says what not everybody who may create can fill in', () => {
    const warned = (isCapital: Field<boolean>, more: object = {}, can = {}) =>
      checkResources([declare({ fields: { id: id(), name: text(), isCapital }, ...more })], [], can).warnings.map((one) => [
        one.id,
        one.where,
        /not all|nobody|in no form/.exec(one.text)?.[0],
      ])
    const some = [['create-needs', 'cities.isCapital', 'not all']]
    expect(warned(switcher())).toEqual([])
    expect(warned(switcher().editable(['admin']))).toEqual(some)
    expect(warned(switcher().visible(['admin']))).toEqual(some)
    expect(warned(switcher().editable(['admin']).default(false))).toEqual([])
    expect(warned(switcher().editable(['admin']), { hooks: { beforeSave: () => {} } })).toEqual([])
    expect(warned(switcher().editable(['admin']), { can: { create: ['admin'] } })).toEqual([])
    expect(warned(switcher().editable(['admin']), { can: { create: ['admin', 'clerk'] } })).toEqual(some)
    expect(warned(switcher().editable(['admin']), {}, { create: ['admin'] })).toEqual([])
    expect(warned(switcher().editable(['admin']), { can: { create: () => true } })).toEqual([])
    expect(warned(switcher().editable(false))).toEqual([['create-needs', 'cities.isCapital', 'nobody']])
    expect(warned(switcher().readOnly())).toEqual([['create-needs', 'cities.isCapital', 'in no form']])
  })

  it('takes a relation that leads nowhere for a mistake where it is declared, and for a plain key where it is derived', () => {
    expect(ids(declare({ fields: { id: id(), countryId: belongsTo() } }))).toEqual(['relation'])
    const alone = checkResources([declare({})])
    expect(alone.problems).toEqual([])
    expect(alone.warnings.map((one) => one.id)).toContain('relation')
  })
})

describe('the words for constraints', () => {
  it('are a text, or texts at fields that there are', () => {
    const found = (constraints: object) => checkResources([Countries, declare({ constraints })]).problems
    expect(found({ cities_check: 'Not so', cities_taken: { name: 'There is one' } })).toEqual([])
    expect(found({ cities_check: { nmae: 'Not so' } })).toMatchObject([
      { id: 'constraint', where: 'cities.constraints.cities_check', text: expect.stringContaining('"nmae" is not a field. Valid: id, ') },
    ])
    expect(found({ cities_check: null, other: {} }).map((one) => one.id)).toEqual(['constraint', 'constraint'])
  })
})

describe('what records are found by in an import', () => {
  const members = sqliteTable(
    'members',
    {
      id: integer().primaryKey(),
      email: varchar().notNull().unique(),
      companyId: integer(),
      number: integer(),
      name: varchar(),
      score: real().unique(),
      secret: varchar().unique(),
    },
    (table) => [
      uniqueIndex('members_number').on(table.companyId, table.number),
      uniqueIndex('members_name').on(table.name).where(sql`name <> ''`),
      uniqueIndex('members_small').on(sql`lower(email)`),
    ],
  )
  const found = (settings: unknown, scope?: () => object) => {
    const fields = { id: id(), email: text(), companyId: number(), number: number(), name: text(), score: number() }
    const Members = defineResource({ model: members, fields, import: settings, scope } as never)
    return checkResources([Members]).problems.map(({ id, where, text }) => [id, where, text])
  }
  it.each([['email'], [['email']], [['companyId', 'number']], [['number', 'companyId']], [['email', 'name']]])(
    'takes %s, which no two records share',
    (match) => expect(found({ match })).toEqual([]),
  )

  it.each<[match: unknown, says: string]>([
    ['mail', '"mail" is no field that records can be found by. Valid: email, companyId, number, name'],
    ['secret', '"secret" is no field'],
    ['score', '"score" is no field'],
    ['id', '"id" is the key, which names records already'],
    [['email', 'email'], '"email" is there twice'],
    ['number', 'several records may have the same number: the table needs a unique constraint or index over it'],
    ['name', 'several records may have the same name'],
    [['companyId', 'name'], 'several records may have the same companyId and name'],
  ])('refuses %s', (match, says) =>
    expect(found({ match })).toEqual([['import-match', 'members.import.match', expect.stringContaining(says)]]),
  )

  it('takes what no two records share within a scope, and no more', () => {
    const scope = () => ({ companyId: 7 })
    expect(found({ match: 'number' }, scope)).toEqual([])
    expect(found({ match: 'name' }, scope)).toHaveLength(1)
    expect(found({ match: ['name', 'number'] }, scope)).toHaveLength(1)
  })

  it('knows its settings, and roles as anywhere', () => {
    expect(found({ match: 'email', roles: ['admin'] })).toEqual([])
    expect(found({ matches: 'email' })).toEqual([['setting-unknown', 'members.import.matches', expect.any(String)]])
    expect(found({ roles: 'admin' })).toEqual([['policy', 'members.import.roles', expect.any(String)]])
    expect(found(() => true)).toEqual([['policy', 'members.import', expect.any(String)]])
  })
})

describe('a resource', () => {
  it('has the defaults of the specification', () => {
    const one = declare({})
    expect(one).toMatchObject({
      uriKey: 'cities',
      title: 'Cities',
      sortColumn: 'id',
      sortDirection: 'DESC',
      itemsPerPage: 25,
      maxItemsPerPage: 100,
      clickAction: null,
      stickyTable: false,
      simplePaginate: false,
      count: 'exact',
      requireIfMatch: false,
      usePagination: true,
      isAsync: true,
      columnSelection: false,
      maxMassDelete: 1000,
      version: null,
    })
    expect([...one.activeActions]).toEqual(['create', 'view', 'update', 'delete', 'massDelete'])
    expect(one.column.key).toBe('name')
    expect(one.table.name).toBe('index-table-cities')
  })

  it.each<[label: string, fields: object | undefined]>([
    ['title', undefined],
    ['title', { id: id(), countryId: belongsTo(), state: select(), mail: email(), title: text() }],
    ['mail', { id: id(), countryId: belongsTo(), state: select(), mail: email() }],
    ['mail', { id: text(), countryId: text(), state: text(), mail: email() }],
    ['id', { id: id(), countryId: belongsTo(), state: select(), about: textarea() }],
    ['id', { id: id(), title: select().options(['a', 'b']) }],
  ])('is labelled by %s, text of its own, where no column is named', (label, fields) => {
    const nations = sqliteTable('nations', { id: varchar('id').primaryKey(), name: varchar('name') })
    const model = sqliteTable('towns', {
      id: varchar('id').primaryKey(),
      countryId: varchar('country_id').references(() => nations.id),
      state: varchar('state', { enum: ['draft', 'paid'] }),
      title: varchar('title'),
      about: varchar('about'),
      mail: varchar('mail'),
    })
    expect(defineResource({ model, ...(fields && { fields }) } as never).column.key).toBe(label)
  })

  it('is frozen, with all that it holds', () => {
    const one = defineResource({ model: cities, fields: { id: id(), name: text(), countryId: number() } as never })
    for (const frozen of [one, one.pages, one.pages.index, one.table, one.can, one.filters, ...one.fields.values()])
      expect(Object.isFrozen(frozen)).toBe(true)
  })

  it('reports which page a request is on', () => {
    const one = declare({})
    const on = { resourceUri: 'cities', pageUri: 'form-page', page: 'form', resourceItem: null } as const
    const form = pageContext(on)
    expect([
      one.isIndexPage(form),
      one.isFormPage(form),
      one.isCreateFormPage(form),
      one.isUpdateFormPage(form),
      one.isDetailPage(form),
    ]).toEqual([false, true, true, false, false])
    expect(one.isUpdateFormPage(pageContext({ ...on, resourceItem: '7' }))).toBe(true)
    expect(one.isFormPage(pageContext({ ...on, resourceUri: 'countries' }))).toBe(false)
  })
})
