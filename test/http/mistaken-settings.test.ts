import { authenticate, belongsTo, definePage, definePanel, defineResource, id, tableBuilder, text } from 'daymark'
import { oag } from 'daymark/oag'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { problems } from '../support/problems.js'

const doctors = sqliteTable('doctors', { id: integer().primaryKey(), name: varchar(), room: varchar() })
const visits = sqliteTable('visits', { id: integer().primaryKey(), doctorId: integer().references(() => doctors.id) })
const fields = { id: id(), name: text('Name') }
const Doctors = defineResource({ model: doctors, fields })
const panel = (spec: object) => () => definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [Doctors], ...spec } as never)

const sorted = (sort: readonly string[]) => [
  definePage({ uri: 'desk', title: 'Desk', components: [tableBuilder(Doctors, { name: 'doctors', sort: sort as never })] }),
]

test.each<[what: string, of: () => unknown, said: readonly string[]]>([
  [
    'another text than open',
    panel({ auth: 'opne' }),
    ['setting-value auth: "opne" is neither open nor of the form { middleware, pipelines, twoFactor, viewAs }'],
  ],
  [
    'a role in place of a list of roles that must use two-factor sign-in',
    panel({ auth: { middleware: authenticate(), pipelines: [], twoFactor: { required: 'admin', key: 5, previousKeys: 'x' } } }),
    [
      'setting-value auth.twoFactor.required: "admin" is neither true, false nor a list of roles',
      'setting-value auth.twoFactor.key: is not a text',
      'setting-value auth.twoFactor.previousKeys: is not a list of texts',
    ],
  ],
  [
    'another form of two-factor sign-in',
    panel({ auth: { middleware: authenticate(), pipelines: [], twoFactor: null } }),
    ['setting-value auth.twoFactor: null is neither false nor of the form { required, key, previousKeys }'],
  ],
  [
    'misspelled settings of auth',
    panel({ auth: { middleware: authenticate(), pipelines: [], twofactor: {}, twoFactor: { requierd: ['admin'] } } }),
    [
      'setting-unknown auth.twofactor: unknown setting "twofactor". Valid: middleware, pipelines, twoFactor, viewAs',
      'setting-unknown auth.twoFactor.requierd: unknown setting "requierd". Valid: required, key, previousKeys',
    ],
  ],
  [
    'another access to the documentation',
    () => oag({ access: 'signedin' as 'signedIn', title: '' }),
    [
      'setting-value oag.access: "signedin" is neither public nor signedIn',
      'setting-value oag.title: is empty: leave it out for its default',
    ],
  ],
  [
    'a line of the menu that is none',
    panel({ menu: [Doctors, 'dividr', { group: 'More', items: ['devider', 'divider'] }] }),
    ['dividr', 'devider'].map(
      (line) => `setting-value menu: "${line}" is not a line: name a resource, a page, a group, a link or 'divider'`,
    ),
  ],
  [
    'methods of HTTP that no request has',
    panel({
      resources: [
        defineResource({
          model: doctors,
          fields,
          handlers: { call: { method: 'post' as never, run: () => {} } },
          methods: { ring: { method: 'HEAD' as never, run: () => {} } },
        }),
      ],
    }),
    [
      'setting-value doctors.handlers.call.method: "post" is none of GET, POST, PUT, PATCH, DELETE',
      'setting-value doctors.methods.ring.method: "HEAD" is none of GET, POST, PUT, PATCH, DELETE',
    ],
  ],
  [
    'two resources with one uriKey, to which a relation leads',
    panel({
      resources: [
        Doctors,
        defineResource({ model: doctors, fields }),
        defineResource({ model: visits, fields: { id: id(), doctorId: belongsTo('Doctor') } }),
      ],
    }),
    ['resource-uri doctors.uriKey: another resource has the uriKey "doctors"; give one of them its own'],
  ],
  [
    'a sortColumn that is not a field',
    panel({ resources: [defineResource({ model: doctors, fields, sortColumn: 'room' })] }),
    ['sort-column doctors.sortColumn: "room" is not declared as a field, and lists can only be sorted by declared fields. Valid: id, name'],
  ],
  [
    'a sort of a table that is not a field',
    panel({ pages: sorted(['-room']) }),
    [expect.stringMatching(/^sort-column pages\.desk.*: "room" is not declared as a field/)],
  ],
  [
    'a setting of the document',
    () => oag({ bogus: 1 } as never),
    [expect.stringMatching(/^setting-unknown oag\.bogus: unknown setting "bogus"/)],
  ],
  ['nothing', panel({ menu: [Doctors, 'divider'], pages: sorted(['-name', 'id']) }), []],
  ['a sortColumn where the fields are derived', panel({ resources: [defineResource({ model: doctors, sortColumn: 'room' })] }), []],
  [
    'the key, which need not be declared',
    panel({ resources: [defineResource({ model: doctors, fields: { name: text() }, sortColumn: 'id' })] }),
    [],
  ],
])('what is said of %s', (_, of, said) => {
  expect(problems(of)).toEqual(said)
})

test('a query tag over what is not a column says which tag of what, and which columns there are', () => {
  const declare = () => defineResource({ model: doctors, queryTags: { in: { label: 'In', where: { nmae: 1 } as never } } })
  expect(declare).toThrow('The query tag "in" of "doctors": A condition names "nmae", which is not a column. Valid: id, name, room')
})
