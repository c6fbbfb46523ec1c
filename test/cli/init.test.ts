import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
const folders: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daymark-init-'))
  folders.push(folder)
})
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true })
})
const init = (...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), 'init', ...args], { cwd: folder, encoding: 'utf8' })

test('the name of the database is quoted, whatever stands in it', () => {
  const name = `sqlite:it's "a\\b".db`
  init('--database', name)
  const [, written = ''] = /DATABASE_URL \?\? ('.*'),$/m.exec(readFileSync(join(folder, 'panel.ts'), 'utf8')) ?? []
  expect(new Function(`return ${written}`)()).toBe(name)
})

test.each([
  ['src/db/schema.ts', 'src/panel.ts', './db/schema.js'],
  ['mysrc/schema.ts', 'panel.ts', './mysrc/schema.js'],
])('over %s the panel is %s', (schema, panel, from) => {
  mkdirSync(join(folder, schema, '..'), { recursive: true })
  const core = join(root, 'node_modules/drizzle-orm/sqlite-core/index.js')
  writeFileSync(
    join(folder, schema),
    `import { integer, sqliteTable } from '${core}'\nexport const things = sqliteTable('things', { id: integer().primaryKey() })\n`,
  )
  expect(init('--schema', schema)).toContain(`${panel}: things`)
  expect(existsSync(join(folder, panel))).toBe(true)
  expect(readFileSync(join(folder, panel), 'utf8')).toContain(`from '${from}'`)
})

const sqliteCore = join(root, 'node_modules/drizzle-orm/sqlite-core/index.js')
const pgCore = join(root, 'node_modules/drizzle-orm/pg-core/index.js')
const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const refused = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), 'init', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: undefined },
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).not.toContain('    at ')
  return stderr
}

test('a panel with tables that would keep it from starting leaves them out and says why', () => {
  write(
    'schema.ts',
    `import { integer, sqliteTable } from '${sqliteCore}'
const table = (name) => sqliteTable(name, { id: integer().primaryKey() })
export const one = table('things')
export { one as alias }
export const two = table('things')
export const odd = table('Ünderground')
export default table('others')
`,
  )
  expect(init()).toContain('panel.ts: alias\n')
  const text = readFileSync(join(folder, 'panel.ts'), 'utf8')
  expect(text).toContain("import { alias } from './schema.js'")
  expect(text).toContain('    // two: another resource has the uriKey "things"')
  expect(text).toContain('    // default: it is the default export')
})

test('a schema of another database than the panel has is refused', () => {
  write(
    'schema.ts',
    `import { integer, pgTable } from '${pgCore}'\nexport const things = pgTable('things', { id: integer().primaryKey() })\n`,
  )
  expect(refused()).toContain('things: it is for PostgreSQL')
  expect(existsSync(join(folder, 'panel.ts'))).toBe(false)
  init('--database', 'postgres://127.0.0.1/things')
  expect(existsSync(join(folder, 'panel.ts'))).toBe(true)
})

test('a schema that cannot be loaded is refused with the reason; of a type that Drizzle Kit did not know it says what to do', () => {
  write('schema.ts', `import { pgTable } from '${pgCore}'\nexport const things = pgTable('things', { during: unknown('during') })\n`)
  const said = refused('--database', 'postgres://127.0.0.1/things')
  expect(said).toContain('schema.ts cannot be loaded: unknown is not defined')
  expect(said).toContain('customType')
  write('schema.ts', `export const things = pgTable('things', { state: text().default(').notNull() })\n`)
  expect(refused()).toMatch(/^schema\.ts cannot be loaded: .*schema\.ts:1:/s)
})

test('a schema without tables is refused; over PostgreSQL it may be that they are in other schemas of the database', () => {
  write('schema.ts', 'export const nothing = 1\n')
  expect(refused()).toBe('schema.ts exports no Drizzle table\n')
  expect(refused('--database', 'postgres://127.0.0.1/things')).toContain('--schemaFilters')
})

test('a schema without a table that can be shown is refused', () => {
  write(
    'schema.ts',
    `import { integer, sqliteTable } from '${sqliteCore}'\nexport const keyless = sqliteTable('keyless', { n: integer() })\n`,
  )
  expect(refused()).toContain('  keyless: The table "keyless" has no primary key')
  expect(existsSync(join(folder, 'panel.ts'))).toBe(false)
})

test.each(['panel.js', 'src/panel.ts'])('a panel that is in %s is not replaced by another', (file) => {
  mkdirSync(join(folder, 'src'))
  write(file, '')
  expect(refused()).toContain(`${file} is there already`)
  expect(existsSync(join(folder, 'panel.ts'))).toBe(false)
})

test.each(['data.db', 'mysql://me:hidden@localhost/things', 'sqlite:'])('--database %s is refused for what it is', (database) => {
  const said = refused('--database', database)
  expect(said).toContain('names no database that this can speak to')
  expect(said).not.toContain('hidden')
})

test('of an example every file is named, and what to do next ends with a panel that compiles', () => {
  const said = init()
  expect(said).toMatch(
    /^schema\.ts: an example\ndata\.db: its table\npanel\.ts: notes\n\nNext:\n {2}npm pkg set type=module\n {2}npx daymark user:create/,
  )
  expect(said).not.toContain('drizzle-kit')
  expect(said).toContain('npm install --save-dev @types/node')
  expect(said).toContain('"types": ["node"]')
})

test('where the project is no ES module, it is told how to become one', () => {
  write('package.json', '{}')
  expect(init()).toContain('Next:\n  npm pkg set type=module\n')
  for (const file of ['panel.ts', 'schema.ts', 'data.db']) rmSync(join(folder, file))
  write('package.json', '{ "type": "module" }')
  expect(init()).not.toContain('type=module')
})

test('help in a pipe has no colours', () => {
  for (const args of [['--help'], ['serve', '--help']]) {
    const said = execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { encoding: 'utf8' })
    expect(said).toContain('daymark')
    expect(said).not.toContain('\u001b')
  }
})

test('over a schema, the tables come first: by Drizzle Kit without those of the panel, or by its own configuration', () => {
  const schema = `import { integer, sqliteTable } from '${sqliteCore}'\nexport const things = sqliteTable('things', { id: integer().primaryKey() })\n`
  write('schema.ts', schema)
  const said = init('--database', 'sqlite:my things.db')
  expect(said).toContain(`
  npm install --save-dev drizzle-kit @libsql/client   # makes the tables of the schema
  npx drizzle-kit push --dialect sqlite --schema schema.ts --url 'file:my things.db' --tablesFilter '!daymark_*'   # only if tables are missing, unless you have migrations
  npx daymark user:create`)
  rmSync(join(folder, 'panel.ts'))
  write('drizzle.config.ts', '')
  mkdirSync(join(folder, 'node_modules/drizzle-kit'), { recursive: true })
  expect(init()).toContain('type=module\n  npx drizzle-kit push   # only')
  rmSync(join(folder, 'panel.ts'))
  rmSync(join(folder, 'drizzle.config.ts'))
  write('schema.ts', schema.replaceAll('sqliteTable', 'pgTable').replace(sqliteCore, pgCore))
  rmSync(join(folder, 'node_modules'), { recursive: true })
  const ofPostgresql = init('--database', 'postgres://127.0.0.1/things')
  expect(ofPostgresql).toContain('drizzle-kit pg   #')
  expect(ofPostgresql).toContain('--dialect postgresql --schema schema.ts --url "$DATABASE_URL"')
})

test('of a link table it says how its records are shown', () => {
  write(
    'schema.ts',
    `import { integer, primaryKey, sqliteTable } from '${sqliteCore}'
export const products = sqliteTable('products', { id: integer().primaryKey() })
export const tags = sqliteTable('product_marks', { id: integer().primaryKey() })
const link = { productId: integer().references(() => products.id), tagId: integer().references(() => tags.id) }
export const productTags = sqliteTable('product_tags', link, (t) => [primaryKey({ columns: [t.productId, t.tagId] })])
export const ranked = sqliteTable('ranked', { ...link, rank: integer() }, (t) => [primaryKey({ columns: [t.productId, t.tagId, t.rank] })])
`,
  )
  init()
  const text = readFileSync(join(folder, 'panel.ts'), 'utf8')
  expect(text).toContain(
    "    // productTags: it links records. Among the fields of products: tagIds: belongsToMany('Product marks', productTags.tagId)\n",
  )
  expect(text).toMatch(/\/\/ ranked: The table "ranked" has no primary key/)
})

test('a link table may have no key, as those of Rails; of one that has more than the link it says how that is shown', () => {
  write(
    'schema.ts',
    `import { integer, primaryKey, sqliteTable } from '${sqliteCore}'
export const orders = sqliteTable('orders', { orderID: integer('OrderID').primaryKey() })
export const products = sqliteTable('products', { productID: integer('ProductID').primaryKey() })
const link = { orderID: integer('OrderID').references(() => orders.orderID), productID: integer('ProductID').references(() => products.productID) }
const pair = (t) => [primaryKey({ columns: [t.orderID, t.productID] })]
export const bare = sqliteTable('bare', link)
export const lines = sqliteTable('lines', { ...link, price: integer().notNull().default(0), discount: integer() }, pair)
export const needy = sqliteTable('needy', { ...link, price: integer().notNull() }, pair)
export const loose = sqliteTable('loose', { ...link, price: integer() })
`,
  )
  init()
  const text = readFileSync(join(folder, 'panel.ts'), 'utf8')
  const among = "Among the fields of orders: productIds: belongsToMany('Products', "
  expect(text).toContain(`// bare: it links records. ${among}bare.productID)\n`)
  expect(text).toContain(`// lines: it links records. ${among}lines.productID). To show price, discount, give it a key of one column\n`)
  expect(text).toMatch(/\/\/ needy: The table "needy" has no primary key/)
  expect(text).toMatch(/\/\/ loose: The table "loose" has no primary key/)
})

test('a view is named, and a schema that was pulled is not to be pushed', () => {
  write(
    'schema.ts',
    `import { integer, sqliteTable, sqliteView } from '${sqliteCore}'
export const things = sqliteTable('things', { id: integer().primaryKey() })
export const sums = sqliteView('sums', { id: integer() }).existing()
`,
  )
  expect(init()).toContain('npx drizzle-kit push')
  expect(readFileSync(join(folder, 'panel.ts'), 'utf8')).toContain('    // sums: it is a view')
  rmSync(join(folder, 'panel.ts'))
  write('relations.ts', '')
  mkdirSync(join(folder, 'meta'))
  expect(init()).not.toContain('push')
})

test('a database may be named as file:PATH', () => {
  expect(init('--database', 'file:own.db')).toContain('panel.ts: notes')
})
