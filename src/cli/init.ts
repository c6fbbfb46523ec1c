import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { defineCommand } from 'citty'
import { getTableName, getTableUniqueName, is, Table, View } from 'drizzle-orm'
import { createJiti } from 'jiti'
import { humanise } from '../base/humanise.js'
import { checkResources } from '../resource/check/check.js'
import { defineResource } from '../resource/define.js'
import { kebab, withoutId } from '../resource/model/bind.js'
import { shapeOf } from '../resource/model/model.js'
import type { Resource } from '../resource/resource.js'
import { databaseFault, dialectOf, openSqlStore } from '../store/sql/open.js'
import { databaseOf } from '../store/sql/sqlite/database.js'
import { checkFile } from './check-file.js'
import { panelHere } from './panel-file.js'
import { Stop } from './stop.js'

export const init = defineCommand({
  meta: {
    name: 'init',
    description: 'Writes a first panel over the Drizzle tables of this project; where there are none, with an example',
  },
  args: {
    schema: { type: 'string', description: `The file that exports the tables. Default: the first of ${schemas().join(', ')}` },
    database: { type: 'string', description: 'The DATABASE_URL that the panel takes where none is set. Default: sqlite:data.db' },
    open: { type: 'boolean', description: 'Nobody signs in, and only this machine gets in' },
  },
  async run({ args }) {
    const database = args.database ?? 'sqlite:data.db'
    const schema = schemaOf(args.schema)
    const path = join(schema && /^src[/\\]/.test(schema.path) ? 'src' : '.', 'panel.ts')
    // Beside another one, commands might take the other.
    const other = panelHere()
    if (other !== undefined) throw new Stop(`${other} is there already; nothing was written`)
    // The same choice as the panel's.
    const used = process.env.DATABASE_URL ?? database
    const fault = databaseFault(used) ?? databaseFault(database)
    if (fault !== null) throw new Stop(fault)
    if (!schema) refuseOwnDatabase(used)
    const tables = schema ? await tablesOf(schema.path, used) : [{ name: exampleTable, problem: null }]
    if (!schema) await writeExample(used)
    writeFileSync(path, panelText(tables, from(path, schema?.path ?? exampleFile), database, args.open === true))
    if (!schema) console.log(`${exampleFile}: an example\n${relative('.', databaseOf(used).path)}: its table`)
    console.log(`${path}: ${tables.flatMap(({ name, problem }) => (problem === null ? [name] : [])).join(', ')}\n`)
    const next = [
      ...(isModule() ? [] : ['npm pkg set type=module']),
      // A push would alter the database by what a pull has not understood.
      ...(schema && !isPulled(schema.path) ? pushes(schema.path, used) : []),
      ...(args.open ? [] : ['npx daymark user:create --username you@example.com']),
      'npx daymark serve',
    ]
    console.log(`Next:\n${next.map((one) => `  ${one}\n`).join('')}`)
    console.log(`If tsc is to check ${path}, whose process is that of Node.js: npm install --save-dev @types/node`)
    console.log('and in tsconfig.json: "types": ["node"]')
  },
})

/** Whether Node and tsc take a `.ts` file of this folder for a module. */
function isModule(): boolean {
  const file = above('package.json')
  try {
    return file !== null && (JSON.parse(readFileSync(file, 'utf8')) as { type?: string }).type === 'module'
  } catch {
    return false
  }
}

/** The nearest file or folder of this name, in this folder or one around it. */
function above(name: string): string | null {
  for (let at = resolve('.'); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return join(at, name)
    if (dirname(at) === at) return null
  }
}

/** Whether Drizzle Kit has made it of a database, and so its relations beside it. */
const isPulled = (schema: string) => existsSync(join(dirname(schema), 'relations.ts')) && existsSync(join(dirname(schema), 'meta'))

/** What creates the tables. npx alone would fetch a Drizzle Kit that finds neither Drizzle nor a driver. */
function pushes(schema: string, database: string): readonly string[] {
  const kit = `npm install --save-dev drizzle-kit ${drivers[dialectOf(database)]}`
  return [
    ...(above(join('node_modules', 'drizzle-kit')) === null ? [`${kit}   # makes the tables of the schema`] : []),
    `${push(schema, database)}   # only if tables are missing, unless you have migrations`,
  ]
}

const drivers = { sqlite: '@libsql/client', postgresql: 'pg' } as const

/** Without the filter it would drop those that the panel makes for itself. */
function push(schema: string, database: string): string {
  if (['ts', 'js', 'json'].some((ending) => existsSync(`drizzle.config.${ending}`))) return 'npx drizzle-kit push'
  const dialect = dialectOf(database)
  const url = dialect === 'sqlite' ? inShell(`file:${relative('.', databaseOf(database).path)}`) : '"$DATABASE_URL"'
  return `npx drizzle-kit push --dialect ${dialect} --schema ${inShell(schema)} --url ${url} --tablesFilter '!daymark_*'`
}

const inShell = (text: string) => (/^[\w./:\\-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The example is only for a database that does not exist yet: nothing is written into one in use. */
function refuseOwnDatabase(database: string): void {
  const file = dialectOf(database) === 'sqlite' ? relative('.', databaseOf(database).path) : null
  if (file !== null && !existsSync(file)) return
  const pull =
    file !== null
      ? `${drivers.sqlite} && npx drizzle-kit pull --dialect sqlite --url file:${file}`
      : `${drivers.postgresql} && npx drizzle-kit pull --dialect postgresql --url "$DATABASE_URL"   # as the owner of the tables`
  throw new Stop(
    `A panel over a database that is there needs its tables as a Drizzle schema, and there is none of ${schemas().join(', ')}.\n` +
      `Drizzle Kit writes it: npm install --save-dev drizzle-kit ${pull}\n` +
      'Then once more: npx daymark init',
  )
}

interface Found {
  /** The name of the export. */
  readonly name: string
  /** Why a panel cannot show it; null if it can. */
  readonly problem: string | null
}

function schemas(): readonly string[] {
  return ['.', 'src', 'db', 'src/db', 'drizzle'].map((folder) => join(folder, 'schema.ts'))
}

function schemaOf(named: string | undefined): { readonly path: string } | null {
  const path = named ?? schemas().find((one) => existsSync(one))
  if (path === undefined) return null
  checkFile(path)
  return { path: relative('.', path) }
}

async function tablesOf(path: string, database: string): Promise<readonly Found[]> {
  const exported = await loaded(path)
  // A table may be exported under several names, of which `default` is the last choice.
  const names = Object.keys(exported).sort((a, b) => Number(a === 'default') - Number(b === 'default'))
  const byTable = new Map<Table, string>()
  for (const name of names) {
    const value = exported[name]
    if (is(value, Table) && !byTable.has(value)) byTable.set(value, name)
  }
  if (byTable.size === 0) {
    const others = dialectOf(database) === 'postgresql' ? `. Of tables in another schema than public, pull with --schemaFilters 'shop'` : ''
    throw new Stop(`${path} exports no Drizzle table${others}`)
  }
  const shown: Resource[] = []
  const views = names.filter((name) => is(exported[name], View)).map((name) => ({ name, problem: viewText }))
  const tables = [...byTable].map(([table, name]) => ({
    name,
    problem: linkText(table, byTable) ?? problemOf(table, name, database, shown),
  }))
  if (shown.length === 0)
    throw new Stop(`A panel can show no table of ${path}:\n${tables.map(({ name, problem }) => `  ${name}: ${problem}`).join('\n')}`)
  return [...tables, ...views]
}

const viewText = 'it is a view, whose key the database does not know: declare it as a table, in another file'

async function loaded(path: string): Promise<Record<string, unknown>> {
  try {
    return await createJiti(import.meta.url).import<Record<string, unknown>>(resolve(path))
  } catch (thrown) {
    const why = (thrown instanceof Error ? thrown.message : String(thrown)).trim()
    const known = why.startsWith('unknown is')
      ? '\nDrizzle Kit writes unknown(…) for the columns of types that it does not know: text(…) does for citext, ranges and domains over texts; make others with customType of drizzle-orm/pg-core, or delete them'
      : ''
    throw new Stop(`${path} cannot be loaded: ${why}${known}`)
  }
}

/** How the records of a link table are shown: by the resource of one of its sides; null: it is none. */
function linkText(table: Table, names: ReadonlyMap<Table, string>): string | null {
  const { columns, uniques } = shapeOf(table)
  const all = [...columns.values()]
  const sides = all.filter(({ references }) => references)
  const [from, to] = sides
  const others = all.filter(({ references }) => !references)
  const isPair = (keys: readonly string[]) => keys.length === 2 && sides.every(({ key }) => keys.includes(key))
  if (!from?.references || !to?.references || sides.length > 2 || all.some(({ primary }) => primary)) return null
  // Rails declares no key for such a table. What else is in a row has to come by itself, or no list could add one.
  if (!(others.length === 0 || uniques.some(isPair)) || others.some(({ notNull, hasDefault }) => notNull && !hasDefault)) return null
  const field = `${withoutId(to.key, false)}Ids`
  const label = humanise(kebab(getTableName(to.references.table)))
  const owner = names.get(from.references.table) ?? getTableName(from.references.table)
  const rest = others.length === 0 ? '' : `. To show ${others.map(({ key }) => key).join(', ')}, give it a key of one column`
  return `it links records. Among the fields of ${owner}: ${field}: belongsToMany('${label}', ${names.get(table)}.${to.key})${rest}`
}

/** Why a panel over this database could not start, or show the table, beside those that are shown already. If it can, adds it to them. */
function problemOf(table: Table, name: string, database: string, shown: Resource[]): string | null {
  if (name === 'default') return 'it is the default export: export it by a name'
  try {
    const resource = defineResource({ model: table }) as Resource
    if (resource.model.dialect !== dialectOf(database))
      return `it is for ${titles[resource.model.dialect]}, which the database is not: name another with DATABASE_URL or --database`
    const [problem] = checkResources([...shown, resource], []).problems
    if (problem) return problem.text
    shown.push(resource)
    return null
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : `${getTableUniqueName(table)} cannot be shown`
  }
}

const titles = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const

function from(path: string, schema: string): string {
  const to = relative(dirname(path), schema).replaceAll('\\', '/').replace(/\.ts$/, '.js')
  return to.startsWith('.') ? to : `./${to}`
}

function panelText(tables: readonly Found[], schema: string, database: string, open: boolean): string {
  const shown = tables.filter(({ problem }) => problem === null)
  const others = tables.filter(({ problem }) => problem !== null)
  return `import { definePanel, defineResource } from 'daymark'
import { ${shown.map(({ name }) => name).join(', ')} } from '${schema}'

export default definePanel({
  title: 'Back office',${open ? "\n  // Anybody on this machine may do anything. Leave it out, and users sign in.\n  auth: 'open'," : ''}
  database: process.env.DATABASE_URL ?? ${quoted(database)},
  resources: [
${shown.map(({ name }) => `    defineResource({ model: ${name} }),\n`).join('')}${others.map(({ name, problem }) => `    // ${name}: ${problem?.split('\n')[0]}\n`).join('')}  ],
})
`
}

/** A string literal as Biome and Prettier would format it. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const exampleFile = 'schema.ts'
const exampleTable = 'notes'

/** Creates an example table and a database with it. */
async function writeExample(database: string): Promise<void> {
  const store = openSqlStore({ database })
  try {
    await store.transaction((tx) =>
      tx.execute(
        'create table if not exists notes (id integer primary key, title text not null, body text, done integer not null default 0, created_at integer not null)',
      ),
    )
  } finally {
    await store.close()
  }
  writeFileSync(exampleFile, example)
}

const example = `import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const notes = sqliteTable('notes', {
  id: integer('id').primaryKey(),
  title: text('title', { length: 200 }).notNull(),
  body: text('body'),
  done: integer('done', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at', { mode: 'timestamp' })
    .notNull()
    .$defaultFn(() => new Date()),
})
`
