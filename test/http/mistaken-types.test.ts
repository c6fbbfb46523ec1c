import { runInNewContext } from 'node:vm'
import {
  alert,
  apiKeys,
  authenticate,
  badge,
  belongsTo,
  box,
  chart,
  date,
  definePage,
  definePanel,
  defineResource,
  figure,
  formBuilder,
  grid,
  groups,
  heading,
  historyResource,
  id,
  metric,
  number,
  pageFilter,
  password,
  repeater,
  select,
  session,
  tableBuilder,
  tabs,
  text,
  usersResource,
  view,
} from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { ofPanels } from '../../src/panel/settings.js'
import { ofResources } from '../../src/resource/spec-settings.js'
import { problems } from '../support/problems.js'

const cities = sqliteTable('cities', { id: integer().primaryKey(), name: varchar().notNull(), state: varchar(), size: integer() })
const fields = { id: id(), name: text('Name'), size: number('Size') }
const resource = (more: object) => defineResource({ model: cities, fields, ...more } as never)
const Cities = resource({})
const panel = (more: object) => definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [Cities], ...more } as never)
const guarded = (more: object) => definePanel({ database: 'sqlite::memory:', resources: [Cities], ...more } as never)
const over = (more: object) => panel({ resources: [resource(more)] })
const field = (one: unknown) => over({ fields: { ...fields, name: one } })
const page = (...components: unknown[]) => panel({ pages: [definePage({ uri: 'desk', title: 'Desk', components: components as never })] })

describe('a setting of any other type', () => {
  const odd = [5, 'x', true, false, null, [], {}, [5], [null], [{}], { nme: 1 }, () => 1, async () => 1]
  const { model: _, database: __, key: ___, ...settings } = ofResources

  test.each(Object.keys(settings))('of a resource is refused by a check, if at all: %s', (name) => {
    for (const value of odd) problems(() => over({ [name]: value }))
  })
  test.each(Object.keys(ofPanels).filter((name) => name !== 'database' && name !== 'replica'))('of a panel: %s', (name) => {
    for (const value of odd) for (const make of [panel, guarded]) problems(() => make({ [name]: value }))
  })
})

const users = { model: cities, columns: { username: 'name', password: 'state', roles: 'state' } }
const run = () => {}

test.each<[of: () => unknown, said: readonly string[]]>([
  [() => guarded({ attempts: 'redis' }), ['setting-value attempts: "redis" is neither memory nor database']],
  [() => panel({ brand: { nme: 'x' } }), ['setting-unknown brand.nme: unknown setting "nme". Valid: name, logo, accent']],
  [() => panel({ title: 5, log: 'x' }), ['setting-value title: 5 is not a text', 'setting-value log: "x" is not a function']],
  [() => guarded({ users: { model: cities } }), [expect.stringMatching(/^setting-value users\.columns: is missing/)]],
  [() => guarded({ users: { ...users, identity: 'x' } }), ['setting-value users.identity: "x" is not a list of texts']],
  [() => guarded({ users: { ...users, model: 'people' } }), ['setting-value users.model: "people" is not a Drizzle table']],
  [
    () => panel({ cors: { origin: [] } }),
    [expect.stringMatching(/unknown setting "origin"/), expect.stringMatching(/cors\.origins: is missing/)],
  ],
  [
    () => panel({ messages: { 'form.sav': 'x' } }),
    [expect.stringMatching(/^setting-unknown messages\.form\.sav: .*The nearest of \d+: form\.save,/)],
  ],
  [() => panel({ menu: [{ label: 'x', hreff: '/x' }] }), [expect.stringMatching(/^setting-value menu: \{ label, hreff \} is not a line/)]],
  [() => panel({ menu: [{ label: 'x', href: '/x', badge: 5 }] }), [expect.stringMatching(/^setting-value menu: badge: 5 is neither/)]],
  [() => panel({ home: 'desk' }), ['setting-value home: "desk" is not a page, as definePage() returns it']],
  [() => guarded({ middleware: [session({ idel: 60 } as never)] }), [expect.stringMatching(/^setting-unknown auth: session\(\)\.idel/)]],
  [
    () => guarded({ auth: { middleware: authenticate(), pipelines: [password(), apiKeys({ mostDay: 1 } as never)] } }),
    [expect.stringMatching(/^setting-unknown auth: apiKeys\(\)\.mostDay/)],
  ],
  [
    () => guarded({ auth: { middleware: authenticate(), pipelines: [password] } }),
    [expect.stringMatching(/pipelines\[0\]: a function is not a pipeline/)],
  ],
  [() => over({ filters: 'name' }), ['setting-value cities.filters: "name" is not a list']],
  [() => over({ fields: { id: id, name: text() } }), ['setting-value cities.fields.id: a function is not a field, such as text()']],
  [
    () => over({ computed: { full: { label: 'Full', value: run } } }),
    ['setting-value cities.computed.full.needs: is missing: write a list'],
  ],
  [
    () => over({ pages: { form: [{ section: 'A', field: ['name'] }] } }),
    [expect.stringMatching(/form\[0\]\.field: unknown/), expect.stringMatching(/form\[0\]\.fields: is missing/)],
  ],
  [
    () => over({ pages: { more: [{ uri: 'x', title: 'X', type: 'list', fields: [] }] } }),
    [expect.stringMatching(/more\[0\]\.type: "list" is none of|neither/)],
  ],
  [() => over({ handlers: { go: { confrim: 'x', run } } }), [expect.stringMatching(/^setting-unknown cities\.handlers\.go\.confrim/)]],
  [() => over({ handlers: { go: {} } }), ['setting-value cities.handlers.go.run: is missing: write a function']],
  [
    () => over({ handlers: { go: { run } }, indexButtons: [{ label: 'Go', handler: 'go', tone: 'red' }] }),
    [expect.stringMatching(/indexButtons\[0\]\.tone: "red" is neither primary/)],
  ],
  [
    () => over({ handlers: { go: { run } }, buttons: [{ lable: 'Go', handler: 'go' }] }),
    [expect.stringMatching(/buttons\[0\]\.lable: unknown/), expect.stringMatching(/label: is missing/)],
  ],
  [() => over({ table: { trAttribute: run } }), [expect.stringMatching(/^setting-unknown cities\.table\.trAttribute/)]],
  [() => over({ fullText: { lang: 'english' } }), [expect.stringMatching(/^setting-unknown cities\.fullText\.lang/)]],
  [
    () => field((text() as never as { required(on: boolean): unknown }).required(false)),
    [expect.stringMatching(/^field-methods cities\.fields\.name: required\(\) takes nothing/)],
  ],
  [
    () =>
      field(
        text()
          .hint(5 as never)
          .max('5' as never),
      ),
    ['field-methods cities.fields.name: hint(): 5 is not a text', 'field-methods cities.fields.name: max(): "5" is not a number'],
  ],
  [() => field(text(5 as never)), ['field-methods cities.fields.name: text(): 5 is not a text']],
  [() => field(select().options(5 as never)), ['field-methods cities.fields.name: options(): 5 is neither a list nor an object']],
  [
    () => field(text().visible('admin' as never)),
    ['field-methods cities.fields.name: visible(): "admin" is neither true, false nor a list of roles'],
  ],
  [() => over({ fields: { ...fields, state: date().min(5 as never) } }), ['field-methods cities.fields.state: min(): 5 is not a text']],
  [
    () =>
      over({
        fields: {
          ...fields,
          size: belongsTo()
            .to(cities)
            .as(5 as never),
        },
      }),
    ['field-methods cities.fields.size: as(): 5 is not a text'],
  ],
  [
    () => over({ handlers: { go: { fields: { by: text().rule(5 as never) }, run } } }),
    [expect.stringMatching(/fields\.by: rule\(\): 5 is not a Standard Schema/)],
  ],
  [
    () => over({ handlers: { go: { fields: { by: repeater().of({ a: text().hint(5 as never) }) }, run } } }),
    [expect.stringMatching(/fields\.by: hint\(\): 5 is not a text/)],
  ],
  [() => over({ views: [view.board('name', { crad: [] } as never)] }), [expect.stringMatching(/^setting-unknown view\.board\.crad/)]],
  [() => page('Hello'), ['setting-value pages.desk.components[0]: "Hello" is not a component, such as heading()']],
  [() => definePage({ uri: 'desk', title: 'Desk' } as never), ['setting-value pages.desk.components: is missing: write a list']],
  [() => page(heading(5 as never)), ['setting-value heading().text: 5 is not a text']],
  [() => page(alert('red' as never, 'x')), ['setting-value alert().tone: "red" is none of info, good, warn, bad']],
  [() => page(badge({ name: 'x', value: 1, colour: 'red' } as never)), [expect.stringMatching(/^setting-unknown badge\(\)\.colour/)]],
  [() => page(box(heading('x') as never)), ['setting-value box().components: an object is not a list']],
  [() => page(grid(7 as never, [])), ['setting-value grid().columns: 7 is not 2, 3 or 4']],
  [() => page(metric({ name: 'x', label: 'x' } as never)), [expect.stringMatching(/^setting-value metric\(\)\.value: is missing/)]],
  [
    () => page(metric({ name: 'x', label: 'x', value: figure.count(undefined as never) })),
    [expect.stringMatching(/^setting-value figure\.count\(\)\.resource: is missing/)],
  ],
  [
    () => page(chart({ name: 'x', label: 'x', data: groups.count(Cities, { bye: 'name' } as never) })),
    [expect.stringMatching(/bye: unknown/), expect.stringMatching(/by: is missing/)],
  ],
  [
    () => page(tableBuilder(Cities, { name: 'x', colums: ['name'] } as never)),
    [expect.stringMatching(/^setting-unknown tableBuilder\(\)\.colums/)],
  ],
  [
    () => page(formBuilder(Cities, { name: 'x', item: {} } as never)),
    ['setting-value formBuilder().item: an object is neither a text nor a number'],
  ],
  [
    () => page(tabs({ name: 'x', label: 'x', tabs: [{ uri: 'a', label: 'A' }] } as never)),
    ['setting-value tabs().tabs[0].components: is missing: write a list'],
  ],
  [() => pageFilter.period({ options: 'today' } as never), ['setting-value pageFilter.period.options: "today" is not a list']],
  [() => usersResource({ role: ['admin'] } as never), [expect.stringMatching(/^setting-unknown usersResource\(\)\.role/)]],
  [() => historyResource({ title: 5 } as never), ['setting-value historyResource().title: 5 is not a text']],
])('what is said of %s', (of, said) => {
  expect(problems(of)).toEqual(said)
})

test('no message shows what may be a secret', () => {
  const said = problems(() =>
    guarded({ auth: { middleware: authenticate(), pipelines: [], twoFactor: { key: 1234567, previousKeys: 'hush' } } }),
  )
  expect(said).toHaveLength(2)
  expect(said.join()).not.toMatch(/1234567|hush/)
  expect(problems(() => panel({ database: 4711 })).join()).not.toContain('4711')
})

test('what is wrong with two resources and a panel of them is told at once, and nothing that follows from it', () => {
  const Towns = resource({ uriKey: 'towns', fields: { ...fields, nope: 5 }, pages: { index: ['nope'] } })
  expect(problems(() => panel({ resources: [resource({ filters: 'x' }), Towns], timeZone: 'Mars/Olympus' }))).toEqual([
    'setting-value cities.filters: "x" is not a list',
    'setting-value towns.fields.nope: 5 is not a field, such as text()',
    expect.stringMatching(/^time-zone timeZone/),
  ])
})

test('a schema may be a function, or come from another context, as in the tests of some runners', () => {
  const written = '({ "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } })'
  const schema = runInNewContext(written)
  expect(problems(() => field(text().rule(schema)))).toEqual([])
  expect(problems(() => field(text().rule(Object.assign(() => {}, schema) as never)))).toEqual([])
})
