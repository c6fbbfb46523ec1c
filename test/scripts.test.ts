import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
let project: string

// A project of two small files with this one's scripts and settings.
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'daymark-scripts-'))
  for (const name of ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'examples/tsconfig.json']) {
    cpSync(join(root, name), join(project, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'junction')
  write('src/html/images/mark.svg', '<svg/>')
  const assets = readFileSync(join(root, 'scripts/assets.mjs'), 'utf8')
  for (const [path] of assets.matchAll(/src\/browser\/[\w-]+\.ts/g)) write(path, 'document.title = document.title\n')
  for (const [path] of assets.matchAll(/src\/html\/css\/[\w-]+\.css/g)) write(path, 'body { margin: 0 }')
  write('src/index.ts', 'export const one: number = 1\n')
  write('src/languages/de.json', '{}\n')
  write('src/index.test.ts', '')
  write('examples/atlas/serve.ts', "import { one } from 'daymark'\nconsole.log(one)\n")
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

test('a run of tests that fails ends with an error, and one that passes without', () => {
  const support = ['postgresql-shared', 'count-answers'].map((name) => join(root, 'test/support', `${name}.ts`))
  write('vitest.config.mjs', `export default { test: { include: ['one.test.js'], globalSetup: ${JSON.stringify(support)} } }\n`)
  const of = (expected: number) => {
    write('one.test.js', `import { expect, test } from 'vitest'\ntest('adds', () => expect(1 + 1).toBe(${expected}))\n`)
    return spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run'], { cwd: project, encoding: 'utf8' })
  }
  const [right, wrong] = [of(2), of(3)]
  expect([right.status, wrong.status], right.stdout + wrong.stdout + wrong.stderr).toEqual([0, 1])
}, 120_000)

test('a script that is documented with flags passes them on', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Readonly<Record<string, string>> }
  const texts = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/performance.md'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  )
  const flagged = new Set([...texts.join('\n').matchAll(/npm run (?:--silent )?([\w:]+) -- --/g)].map(([, name]) => name as string))
  expect([...flagged]).toContain('bench')
  // npm writes them behind the last command alone.
  for (const name of flagged) expect(`${name}: ${scripts[name]}`).not.toMatch(/[|&;]/)
})

describe('the build', { timeout: 240_000 }, () => {
  test('runs when something it is made of has changed, and only then', () => {
    expect(build()).toMatchObject({ status: 0, stdout: 'Building …\n' })
    expect(read('dist/index.js')).toContain('one = 1')
    expect(read('dist/index.d.ts')).toContain('one: number')
    expect(existsSync(join(project, 'dist/index.test.d.ts'))).toBe(false)
    expect(spawnSync(process.execPath, ['build/examples/atlas/serve.js'], { cwd: project, encoding: 'utf8' }).stdout).toBe('1\n')
    expect(build()).toMatchObject({ status: 0, stdout: '' })

    write('src/index.test.ts', '// a test is not built')
    expect(build()).toMatchObject({ status: 0, stdout: '' })

    write('src/index.ts', 'export const one: number = 1.5\n')
    expect(build()).toMatchObject({ status: 0, stdout: 'Building …\n' })
    expect(read('dist/index.js')).toContain('one = 1.5')

    rmSync(join(project, 'dist'), { recursive: true })
    expect(build()).toMatchObject({ status: 0, stdout: 'Building …\n' })
  })

  test('leaves nothing of a source that is gone or of a build that was killed', () => {
    write('src/gone.ts', 'export {}\n')
    build()
    expect(existsSync(join(project, 'dist/gone.d.ts'))).toBe(true)
    rmSync(join(project, 'src/gone.ts'))
    write('build/next-999999999/next/index.js', '')
    build()
    expect(existsSync(join(project, 'dist/gone.d.ts'))).toBe(false)
    expect(existsSync(join(project, 'build/next-999999999'))).toBe(false)
  })

  test('fails on a type error, keeps what was built before, and is tried again', () => {
    build()
    write('src/index.ts', "export const one: number = 'one'\n")
    for (const attempt of [1, 2]) {
      const { status, stdout, stderr } = build()
      expect({ attempt, status }).toEqual({ attempt, status: 1 })
      expect(stdout).toContain('src/index.ts(1,14): error TS2322')
      expect(stderr).toBe('\nThe build failed; the lines above say where.\n')
    }
    expect(read('dist/index.js')).toContain('one = 1')
  })
})

describe('the installation', () => {
  test('is the first thing that needs more than Node itself', () => {
    rmSync(join(project, 'node_modules'))
    for (const script of ['start', 'test', 'build', 'check']) {
      const { status, stdout } = run(script)
      expect({ script, status, stdout }).toMatchObject({ status: 1, stdout: expect.stringContaining('npm got ci --include=dev') })
    }
  })

  test.each([
    ['a package of another version', { 'node_modules/hono': { version: '0.0.0' } }, true],
    ['a package that is not installed', { 'node_modules/new': { version: '1.0.0' } }, true],
    ['an optional package that is not installed', { 'node_modules/new': { version: '1.0.0', optional: true } }, false],
  ])('with %s in the lock', (_name, packages, installs) => {
    const lock = JSON.parse(read('package-lock.json'))
    write('package-lock.json', JSON.stringify({ ...lock, packages: { ...lock.packages, ...packages } }))
    const { status, stdout, stderr } = build()
    expect(stdout).toContain(installs ? 'npm got ci --include=dev' : 'Building')
    expect(status).toBe(installs ? 1 : 0)
    if (installs) expect(stderr).toMatch(/^\nnpm ci ended with 7: the dependencies are not installed\.\nThe npm registry must be reachable/)
  })
})

test('an old Node is told so', () => {
  write('old.mjs', "Object.defineProperty(process.versions, 'node', { value: '20.18.3' })\n")
  const { status, stdout, stderr } = build({ NODE_OPTIONS: '--import ./old.mjs' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toBe('\nDaymark needs Node.js 20.19 or newer; this is 20.18.3. Install one from https://nodejs.org and try again.\n')
})

function build(env?: Record<string, string>) {
  return run('build', env)
}

// Never with the real npm: its `ci` would empty the folder that node_modules links to.
function run(script: string, env: Record<string, string> = {}) {
  write('npm.js', "console.log('npm got', ...process.argv.slice(2)); process.exit(7)")
  const fake = { npm_execpath: join(project, 'npm.js') }
  return spawnSync(process.execPath, [`scripts/${script}.mjs`], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, ...fake, ...env },
  })
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}

function read(path: string): string {
  return readFileSync(join(project, path), 'utf8')
}
