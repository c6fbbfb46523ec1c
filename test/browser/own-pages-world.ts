import {
  actionButton,
  definePage,
  definePanel,
  definePlugin,
  defineResource,
  formBuilder,
  fragment,
  grid,
  html,
  id,
  jsEvent,
  memoryStore,
  metric,
  modal,
  number,
  offCanvas,
  paragraph,
  tableBuilder,
  tabs,
  text,
} from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'

const towns = sqliteTable('towns', { id: integer().primaryKey(), name: varchar().notNull(), people: integer().notNull() })

/** A panel of one page that has a bit of everything. */
export interface OwnPagesWorld {
  readonly base: string
  /** What the fragment that is asked for again counts. */
  readonly state: { asked: number; broken: boolean }
  close(): Promise<void>
}

export async function openOwnPages(): Promise<OwnPagesWorld> {
  const state = { asked: 0, broken: true }
  const store = memoryStore()
  const Towns = defineResource({
    model: { ...store, table: towns },
    title: 'Towns',
    fields: { id: id(), name: text('Name').required().sortable().searchable(), people: number('People').min(0).sortable() },
    sortColumn: 'id',
    sortDirection: 'ASC',
    itemsPerPage: 10,
    handlers: {
      grow: {
        async run({ selected, update }) {
          for await (const some of selected()) for (const town of some) await update(town.id, { people: town.people + 1 })
        },
      },
      report: {
        long: true,
        run: ({ ids }) => ({ message: 'Reported', download: { name: 'report.txt', type: 'text/plain', body: `${ids.length} towns` } }),
      },
      list: {
        method: 'GET',
        safe: true,
        run: ({ ids }) => ({ download: { name: 'towns.csv', type: 'text/csv', body: `${ids.length}` } }),
      },
    },
    indexButtons: [
      { label: 'Grow', bulk: true, handler: 'grow' },
      { label: 'As a file', bulk: true, handler: 'list' },
      { label: 'Report', bulk: true, handler: 'report' },
    ],
  })
  await store.transaction(async (tx) => {
    for (let i = 1; i <= 30; i++) await tx.create(Towns.model, { id: i, name: `Town ${String(i).padStart(2, '0')}`, people: i * 100 })
  })
  const desk = definePage({
    uri: 'desk',
    title: 'Desk',
    components: [
      grid(2, [
        metric({ name: 'asked', label: 'Asked', value: () => ++state.asked }),
        fragment('news', [metric({ name: 'again', label: 'Again', value: () => `News ${++state.asked}` })]),
      ]),
      actionButton({ label: 'Open the window', event: jsEvent('MODAL_TOGGLED', 'window') }),
      actionButton({ label: 'Open the side', event: jsEvent('OFF_CANVAS_TOGGLED', 'side') }),
      actionButton({ label: 'Ask for news', event: jsEvent('FRAGMENT_UPDATED', 'news') }),
      tabs({
        name: 'by',
        label: 'Towns by',
        tabs: [
          { uri: 'first', label: 'First', components: [tableBuilder(Towns, { name: 'first', columns: ['name'], perPage: 3 })] },
          {
            uri: 'large',
            label: 'Large',
            components: [tableBuilder(Towns, { name: 'large', columns: ['name', 'people'], sort: '-people', perPage: 3 })],
          },
        ],
      }),
      modal('window', [paragraph('Through the window')], { label: 'Window' }),
      offCanvas('side', [paragraph('At the side')], { label: 'Side' }),
      fragment('later', [metric({ name: 'slow', label: 'Slow', value: async () => 'It came' })], { deferred: true, label: 'Later' }),
      fragment(
        'breaks',
        [
          metric({
            name: 'broken',
            label: 'Broken',
            value: () => {
              if (state.broken) throw new Error('Not now')
              return 'Mended'
            },
          }),
        ],
        { deferred: true, label: 'Broken' },
      ),
      paragraph(html`<span id="here">Empty</span>`),
      formBuilder(Towns, { name: 'new-town', title: 'New town', fields: ['name', 'people'] }),
    ],
    methods: {
      say: { run: () => ({ message: 'Said', messageType: 'info' as const }) },
      show: { run: () => ({ html: html`<p>Shown to you</p>` }) },
      fill: { run: () => ({ html: { here: html`<b>Filled</b>` } }) },
      suggest: { run: () => ({ fieldsValues: { name: 'Newtown', people: 7 } }) },
      tell: { run: () => ({ events: [jsEvent('FRAGMENT_UPDATED', 'news')] }) },
      leave: { run: () => ({ redirect: '/admin/resource/towns/crud' }) },
      save: { run: () => ({ download: { name: 'note.txt', type: 'text/plain', body: 'Noted' } }) },
      rename: {
        label: 'Rename the first',
        fields: { to: text('New name').required().max(10) },
        async run({ input, of }) {
          await of(Towns).update(1, { name: String(input.to) })
          return `Now ${input.to}`
        },
      },
    },
    buttons: [
      { label: 'Say', method: 'say' },
      { label: 'Show', method: 'show' },
      { label: 'Fill', method: 'fill' },
      { label: 'Suggest', method: 'suggest' },
      { label: 'Tell', method: 'tell' },
      { label: 'Leave', method: 'leave' },
      { label: 'Save', method: 'save' },
      { label: 'Rename …', method: 'rename', tone: 'primary' },
    ],
  })
  const two = definePage({
    uri: 'two',
    title: 'Two',
    components: [
      ...['left', 'right'].map((name) => tableBuilder(Towns, { name, title: name, columns: ['name', 'people'], perPage: 3 })),
      tabs({
        name: 'tabbed',
        label: 'Towns',
        tabs: [{ uri: 'some', label: 'Some', components: [tableBuilder(Towns, { name: 'some', columns: ['name'], perPage: 3 })] }],
      }),
      ...['one', 'other'].map((name) => formBuilder(Towns, { name, fields: ['name'] })),
    ],
  })
  const bare = definePage({
    uri: 'bare',
    title: 'Bare',
    components: [
      tableBuilder(Towns, { name: 'none', where: { people: { gt: 1_000_000 } } }),
      tableBuilder(Towns, { name: 'numbers', columns: ['people'], limit: 2 }),
    ],
  })
  const notes = definePlugin({
    id: 'notes',
    views: { 'notes::all': () => ({ title: 'Notes', content: html`<h1>Notes</h1>` }) },
    shows: ['notes::all'],
    routes: () => [
      {
        name: 'all',
        methods: ['GET'],
        path: '/all',
        ability: 'signedIn',
        query: 'none',
        verb: { on: 'panel', ends: ['answered'], refuses: [], run: async () => ({ is: 'answered', data: {}, view: 'notes::all' }) },
      },
    ],
  })
  const panel = definePanel({
    auth: 'open',
    resources: [Towns],
    pages: [desk, two, bare],
    plugins: [notes],
    secret: 'of these tests',
    // One of its fragments breaks on purpose.
    log: () => {},
  })
  const listening = await panel.listen({ port: 0 })
  return {
    base: listening.url,
    state,
    async close() {
      await listening.close()
      await panel.close()
    },
  }
}
