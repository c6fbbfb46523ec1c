import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiKeys, authenticate, definePanel, type Panel, password, usersResource } from 'daymark'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inside, inside } from '../../src/panel.js'
import { askPanel, cookiesOf } from '../auth/world.js'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'daymark-cli-'))
let postgresql: TestDatabase
const panels = new Map<string, Panel>()
beforeAll(async () => {
  postgresql = await openDatabase()
  const source = (database: string, auth: string) =>
    `import { definePanel, usersResource } from '${join(root, 'dist/index.js')}'\nexport default definePanel({ database: '${database}', resources: [${auth === '' ? "usersResource({ roles: ['admin', 'editor'] })" : ''}]${auth} })\n`
  const sqlite = `sqlite:${join(folder, 'panel.db')}`
  for (const [file, database] of [
    ['panel.ts', sqlite],
    ['postgresql.ts', postgresql.url],
  ] as const) {
    writeFileSync(join(folder, file), source(database, ''))
    panels.set(file, definePanel({ database, resources: [usersResource()] }))
    const takesKeys = { middleware: authenticate(), pipelines: [password(), apiKeys({ mostDays: 30 })] }
    writeFileSync(
      join(folder, `keys-${file}`),
      source(database, ', auth: { middleware: authenticate(), pipelines: [password(), apiKeys({ mostDays: 30 })] }').replace(
        'import { ',
        'import { apiKeys, authenticate, password, ',
      ),
    )
    panels.set(`keys-${file}`, definePanel({ database, resources: [usersResource()], auth: takesKeys }))
  }
  writeFileSync(join(folder, 'open.ts'), source(sqlite, ", auth: 'open'"))
  writeFileSync(join(folder, 'none.ts'), 'export default 1\n')
  writeFileSync(join(folder, 'nowhere.ts'), source(`sqlite:${join(folder, 'no', 'panel.db')}`, ''))
  writeFileSync(join(folder, 'text.db'), 'This is a text, and no database. '.repeat(50))
  writeFileSync(join(folder, 'text.ts'), source(`sqlite:${join(folder, 'text.db')}`, ''))
  const tables = "import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'\nimport { defineResource } from 'daymark'\n"
  writeFileSync(
    join(folder, 'tableless.ts'),
    `${tables.replace('daymark', join(root, 'dist/index.js')).replace('drizzle-orm/sqlite-core', join(root, 'node_modules/drizzle-orm/sqlite-core/index.js'))}${source(sqlite, ", auth: 'open'").replace('[]', "[defineResource({ model: sqliteTable('cities', { id: integer().primaryKey() }) })]")}`,
  )
})
afterAll(async () => {
  for (const panel of panels.values()) await panel.close()
  await postgresql.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the command line as a script does: no terminal. */
function run(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  const command = [join(root, 'dist/cli/main.js'), ...args]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { cwd: folder, env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out: out.trim(), err: err.trim() }),
    )
    child.stdin?.end()
  })
}

describe.each([
  ['SQLite', 'panel.ts'],
  ['PostgreSQL', 'postgresql.ts'],
])('the users of a panel over %s', { timeout: 60_000 }, (_, file) => {
  const panel = () => panels.get(file) as Panel
  const signIn = (username: string, password: string) =>
    askPanel(panel(), { method: 'POST', path: '/admin/authenticate', json: { username, password } })
  const daymark = (args: readonly string[], env?: Record<string, string>) => run([...args, '--panel', file], env)

  test('are made, listed, kept out and let in again', async () => {
    const DAYMARK_PASSWORD = 'a password from the environment'
    expect(
      await daymark(['user:create', '--username', 'Ada@example.com', '--name', 'Ada', '--roles', 'admin, editor'], { DAYMARK_PASSWORD }),
    ).toEqual({
      code: 0,
      out: 'Created ada@example.com (admin, editor)',
      err: '',
    })
    expect((await daymark(['user:list'])).out).toBe('ada@example.com\tAda\tadmin,editor\tactive\t-\t-')
    const answer = await signIn('ada@example.com', DAYMARK_PASSWORD)
    expect(answer.status).toBe(200)
    const profile = () => askPanel(panel(), { path: '/admin/profile', headers: { cookie: cookiesOf(answer) } })
    expect((await profile()).status).toBe(200)
    expect((await daymark(['user:disable', '--username', 'ada@example.com'])).out).toBe('ada@example.com is disabled')
    expect((await profile()).status).toBe(401)
    await daymark(['user:disable', '--username', 'ada@example.com', '--enable'])
    const [user] = JSON.parse((await daymark(['user:list', '--json'])).out)
    expect(user).toEqual({
      id: 1,
      username: 'ada@example.com',
      name: 'Ada',
      roles: ['admin', 'editor'],
      active: true,
      hasPassword: true,
      hasTwoFactor: false,
      passkeys: 0,
    })
  })
  test('have names of one line, and are listed on one line each', async () => {
    const DAYMARK_PASSWORD = 'a password from the environment'
    const create = (username: string) => daymark(['user:create', '--username', username, '--name', 'Two\nlines'], { DAYMARK_PASSWORD })
    expect(await create('eve\nroot')).toEqual({
      code: 1,
      out: '',
      err: 'A username must not contain line breaks or other invisible characters',
    })
    expect((await create('eve')).code).toBe(0)
    expect((await daymark(['user:list'])).out.split('\n')).toContain('eve\tTwo lines\tadmin\tactive\t-\t-')
  })
  test('get no link that cannot work', async () => {
    const link = (...more: string[]) => daymark(['user:reset-link', '--username', 'eve', ...more])
    for (const origin of [
      'https://panel.example/admin',
      'https://panel.example?a=b',
      'https://panel.example/#a',
      'https://eve@panel.example',
    ])
      expect(await link('--origin', origin)).toEqual({
        code: 1,
        out: '',
        err: `"${origin}" has more than an origin: say --origin https://panel.example`,
      })
    expect((await link('--origin', 'https://panel.example/')).out).toMatch(/^https:\/\/panel\.example\/admin\/reset\//)
    await daymark(['user:disable', '--username', 'eve'])
    expect(await link()).toEqual({ code: 1, out: '', err: 'eve is disabled: a link would not work' })
  })
  test('may have no role', async () => {
    const DAYMARK_PASSWORD = 'a password from the environment'
    const { out, code } = await daymark(['user:create', '--username', 'bob', '--roles', ''], { DAYMARK_PASSWORD })
    expect([code, out]).toEqual([0, 'Created bob (no roles)'])
    expect((await daymark(['user:list'])).out).toContain('bob\tbob\t-\tactive')
  })
  test('get a new password, or a link to set one', async () => {
    const DAYMARK_PASSWORD = 'quite another password'
    expect((await daymark(['user:password', '--username', 'ada@example.com'], { DAYMARK_PASSWORD })).out).toBe(
      'The password of ada@example.com is set',
    )
    expect((await signIn('ada@example.com', DAYMARK_PASSWORD)).status).toBe(200)
    const { out } = await daymark(['user:reset-link', '--username', 'ada@example.com', '--origin', 'https://panel.example'])
    expect(out).toMatch(/^https:\/\/panel\.example\/admin\/reset\/[\w-]{43}$/)
    const set = await askPanel(panel(), { method: 'POST', path: new URL(out).pathname, json: { password: 'the third password' } })
    expect(set.json).toEqual({ message: 'Password set' })
    expect((await signIn('ada@example.com', 'the third password')).status).toBe(200)
  })
  test('may have no password, and lose whom they are at providers', async () => {
    const made = await daymark(['user:create', '--username', 'olga@example.com', '--roles', 'admin', '--without-password'])
    expect(made).toEqual({ code: 0, out: 'Created olga@example.com (admin)', err: '' })
    const unlink = () => daymark(['user:unlink', '--username', 'olga@example.com'])
    expect(await unlink()).toEqual({ code: 1, out: '', err: 'olga@example.com has never signed in with a provider' })
    const { store } = (panel() as unknown as Record<symbol, Inside>)[inside] as Inside
    const id = (await store?.users.byUsername('olga@example.com'))?.identity.id ?? ''
    const link = { issuer: 'https://id.example', subject: '1', userId: id, username: 'olga@example.com', createdAt: new Date() }
    expect(await store?.openIdLinks.create(link)).toBe(true)
    expect((await unlink()).out).toBe('Forgot whom olga@example.com is at https://id.example')
    expect(await store?.openIdLinks.of(id)).toEqual([])
  })
  test('lose their passkeys, and their sessions with them', async () => {
    const remove = () => daymark(['user:remove-passkeys', '--username', 'ada@example.com'])
    expect(await remove()).toEqual({ code: 1, out: '', err: 'ada@example.com has no passkeys' })
    const headers = { cookie: cookiesOf(await signIn('ada@example.com', 'the third password')) }
    const { store } = (panel() as unknown as Record<symbol, Inside>)[inside] as Inside
    const userId = (await store?.users.byUsername('ada@example.com'))?.identity.id ?? ''
    const about = {
      site: 'localhost',
      username: 'ada@example.com',
      handle: 'x',
      credential: 'x',
      publicKey: 'x',
      counter: 0,
      transports: [],
    }
    const one = { ...about, userId, synced: false, name: 'Laptop', createdAt: new Date(), lastSeenAt: null }
    for (const id of ['one', 'two']) expect(await store?.passkeys.create({ ...one, id }, 20)).toBe(true)
    expect((await daymark(['user:list'])).out).toContain('ada@example.com\tAda\tadmin,editor\tactive\t-\tpasskeys: 2')
    expect((await remove()).out).toBe('Removed the passkeys of ada@example.com: 2')
    expect(await store?.passkeys.of(userId)).toEqual([])
    expect((await daymark(['user:list'])).out).toContain('ada@example.com\tAda\tadmin,editor\tactive\t-\t-')
    expect((await askPanel(panel(), { path: '/admin/profile', headers })).status).toBe(401)
  })
  test('lose their second factor, and their sessions with it', async () => {
    const reset = () => daymark(['user:reset-two-factor', '--username', 'ada@example.com'])
    expect(await reset()).toEqual({ code: 1, out: '', err: 'ada@example.com signs in without a code' })
    const as = { username: 'ada@example.com', password: 'the third password' }
    const headers = { cookie: cookiesOf(await signIn(as.username, as.password)) }
    const path = '/admin/profile/two-factor'
    const { secret } = (await askPanel(panel(), { path, headers })).json.data.setUp
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const json = { secret, code, currentPassword: as.password }
    expect((await askPanel(panel(), { method: 'PUT', path, headers, json })).status).toBe(200)
    expect((await daymark(['user:list'])).out).toContain('ada@example.com\tAda\tadmin,editor\tactive\ttwo-factor')
    expect((await signIn(as.username, as.password)).status).toBe(401)
    expect((await reset()).out).toBe('Two-factor sign-in is off for ada@example.com')
    expect((await askPanel(panel(), { path, headers })).status).toBe(401)
    expect((await signIn(as.username, as.password)).status).toBe(200)
  })
})

describe.each([
  ['SQLite', 'keys-panel.ts'],
  ['PostgreSQL', 'keys-postgresql.ts'],
])('the API keys of a panel over %s', { timeout: 60_000 }, (_, file) => {
  const daymark = (args: readonly string[]) => run([...args, '--panel', file])
  const statusBy = async (key: string) =>
    (await askPanel(panels.get(file) as Panel, { path: '/admin/resource/users/crud', headers: { authorization: `Bearer ${key}` } })).status

  test('are made, listed and deleted', async () => {
    await (panels.get(file) as Panel).ensureUser({ username: 'robot', roles: ['admin', 'editor'], password: 'long enough for a robot' })
    const made = await daymark(['key:create', '--username', 'robot', '--name', 'Nightly', '--read-only', '--roles', 'admin', '--days', '7'])
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^daymark_[\w-]{43}$/)])
    expect(made.err).toMatch(/^Made the key "Nightly" for robot, valid until \d{4}-\d\d-\d\d$/)
    expect(await statusBy(made.out)).toBe(200)
    const start = made.out.slice(0, 12)
    const listed = await daymark(['key:list'])
    expect(listed.out).toMatch(new RegExp(`^${start}…\trobot\tNightly\treads\tadmin\tuntil \\S+\t(?:not used|used \\S+)$`))
    expect(listed.out).not.toContain(made.out)
    const [key] = JSON.parse((await daymark(['key:list', '--json'])).out)
    expect(key).toMatchObject({ username: 'robot', name: 'Nightly', start, roles: ['admin'], readOnly: true })
    expect((await daymark(['key:delete', '--start', `${start}…`])).out).toBe('Deleted the key "Nightly" of robot')
    expect(await statusBy(made.out)).toBe(401)
    expect((await daymark(['key:list'])).out).toBe('')
  })

  test.each<[string[], RegExp]>([
    [['key:create', '--username', 'nobody', '--name', 'x'], /^There is no user "nobody"$/],
    [['key:create', '--username', 'robot'], /^Say --name/],
    [['key:create', '--username', 'robot', '--name', 'x', '--days', '31'], /^--days is a whole number from 1 to 30$/],
    [['key:create', '--username', 'robot', '--name', 'x', '--days', '1.5'], /^--days is a whole number from 1 to 30$/],
    [['key:create', '--username', 'robot', '--name', 'x', '--roles', 'king'], /^--roles names roles of robot: admin, editor$/],
    [['key:create', '--username', 'robot', '--name', 'x'.repeat(101)], /^A name has at most 100 characters$/],
    [['key:delete', '--start', 'daymark_xxxx'], /^There is no key that begins with "daymark_xxxx"$/],
  ])('%j is refused', async (args, said) => {
    const { code, out, err } = await daymark(args)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(said)
  })

  test('are none without apiKeys()', async () => {
    for (const command of ['key:list', 'key:create', 'key:delete'])
      expect((await run([command, '--panel', file.replace('keys-', '')])).err).toBe(
        'This panel takes no API keys: add apiKeys() to its auth.pipelines',
      )
  })
})

describe('a command that cannot be done', { timeout: 60_000 }, () => {
  test.each<[string[], Record<string, string>, RegExp]>([
    [
      ['user:create', '--username', 'ada@example.com'],
      { DAYMARK_PASSWORD: 'long enough for this' },
      /^There is a user "ada@example\.com" already$/,
    ],
    [['user:create', '--username', 'b'], { DAYMARK_PASSWORD: 'short' }, /^A password has at least 12 characters$/],
    [['user:create', '--username', 'b'], {}, /^Set DAYMARK_PASSWORD/],
    [['user:create'], {}, /^Say --username/],
    [['user:password', '--username', 'nobody'], { DAYMARK_PASSWORD: 'long enough for this' }, /^There is no user "nobody"$/],
    [['user:list', '--panel', 'missing.ts'], {}, /^There is no file missing\.ts$/],
    [['serve', '.'], {}, /^\. is a folder: name a file in it$/],
    [['init', '--schema', '.'], {}, /^\. is a folder: name a file in it$/],
    [['user:list', '--panel', 'none.ts'], {}, /^The default export of none\.ts is not a panel/],
    [['user:list', '--panel', 'open.ts'], {}, /it has no users$/],
    [
      ['user:create', '--username', 'b', '--role', 'reader'],
      {},
      /^There is no --role; user:create has --username, --name, --roles, --without-password, --panel, --help$/,
    ],
    [['user:create', '--username', ''], {}, /^--username needs a value$/],
    [['user:create', '--username', 'b', '--roles', 'admn, editor, boss'], {}, /^This panel has no role admn, boss\. Valid: admin, editor$/],
    [['user:create', '--username', 'b', '--roles'], {}, /^--roles needs a value$/],
    [['user:create', 'b'], {}, /^"b" is one word too many; user:create has /],
    [['user:password', '--username', 'ada@example.com', '--password', 'X'], {}, /^There is no --password; /],
    [['user:list', '-j'], {}, /^There is no -j; /],
    [['serve', '--watch=true'], {}, /^--watch takes no value$/],
    [['doctor', 'panel.ts', 'open.ts'], {}, /^"open\.ts" is one word too many; doctor has FILE, --panel, --all, --help$/],
    [['doctor', '--panels', 'panel.ts'], {}, /^There is no --panels; doctor has FILE, --panel, --all, --help$/],
    [['doctor', '--panel', 'missing.ts'], {}, /^There is no file missing\.ts$/],
    [['serve', '--panel', 'missing.ts'], {}, /^There is no file missing\.ts$/],
    [['serve', 'panel.ts', '--panel', 'open.ts'], {}, /^The panel is named twice: panel\.ts and --panel open\.ts$/],
    [['user:reset-link', '--username', 'ada@example.com', '--origin', 'nonsense'], {}, /^"nonsense" is no address/],
    [['user:reset-link', '--username', 'ada@example.com', '--origin', 'javascript:alert(1)'], {}, /is no address/],
    [['user:list', '--panel', 'nowhere.ts'], {}, /^The database cannot be opened: .+\/no\/panel\.db: there is no folder .+\/no$/],
    [['doctor', 'nowhere.ts', '--all'], {}, /^The database cannot be opened: .+\/no\/panel\.db: there is no folder .+\/no$/],
    [['user:list', '--panel', 'text.ts'], {}, /^The database cannot be opened: .+\/text\.db: .*not a database/],
    [
      ['doctor', 'tableless.ts'],
      {},
      /^The database could not do this: .*no such table: cities\nThe database lacks what the schema declares: your migrations create it, or Drizzle Kit \(.*getting-started\.md\)$/,
    ],
    [['user:destroy'], {}, /There is no command "user:destroy"$/],
    [['--panel', 'panel.ts'], {}, /^There is no --panel; daymark has --help, --version$/],
    [['-v'], {}, /^There is no -v; /],
  ])('%j: says what to do', async (args, env, text) => {
    const { code, err } = await run(args, env)
    expect(code).toBe(1)
    expect(err).toMatch(text)
    expect(err).not.toMatch(/^\s+at /m)
  })
})

test.each([['--help'], ['-h'], []])('says how it is used: %s', async (...args) => {
  expect(await run(args)).toEqual({ code: 0, out: expect.stringContaining('user:create'), err: '' })
})

test('says its version', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(await run(['--version'])).toEqual({ code: 0, out: version, err: '' })
})
