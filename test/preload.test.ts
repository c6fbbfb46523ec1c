import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = (file: string) => pathToFileURL(join(root, 'dist', file)).href
const folder = mkdtempSync(join(tmpdir(), 'daymark-preload-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The URL of a file made for a test. */
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return pathToFileURL(join(folder, name)).href
}

async function node(...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, args, { cwd: root })).stdout.trim()
}

/** Where each thing comes from that Drizzle gives out, by its source. */
const given = `
  const entries = ['drizzle-orm', 'drizzle-orm/sqlite-core', 'drizzle-orm/pg-core', 'drizzle-orm/node-postgres']
  const all = await Promise.all(entries.map((one) => import(one)))
  console.log(JSON.stringify(all.flatMap((one) => Object.entries(one).map(([name, value]) => [name, String(value)]))))
  const { is, Table } = all[0]
  console.log(is(all[1].sqliteTable('a', {}), Table), is(all[2].pgTable('a', {}), Table))`

test('Drizzle is the same with it', async () => {
  const script = ['--input-type=module', '-e', given]
  const before = await node(...script)
  expect(before).toMatch(/\ntrue true$/)
  expect(await node('--import', dist('preload.js'), ...script)).toBe(before)
})

if ('enableCompileCache' in module) {
  test('the next start finds the code compiled, beside the installed packages', async () => {
    const modules = join(folder, 'installed/node_modules')
    mkdirSync(join(modules, 'daymark/dist'), { recursive: true })
    copyFileSync(join(root, 'dist/preload.js'), join(modules, 'daymark/dist/preload.mjs'))
    const start = (env: NodeJS.ProcessEnv) =>
      promisify(execFile)(
        process.execPath,
        [
          '--import',
          pathToFileURL(join(modules, 'daymark/dist/preload.mjs')).href,
          '-e',
          "console.log(require('node:module').getCompileCacheDir())",
        ],
        { env: { ...process.env, ...env } },
      )
    expect((await start({ NODE_COMPILE_CACHE: '' })).stdout).toContain(join(modules, '.cache/daymark'))
    expect((await start({ NODE_COMPILE_CACHE: join(folder, 'elsewhere') })).stdout).toContain(join(folder, 'elsewhere'))
    expect((await start({ NODE_DISABLE_COMPILE_CACHE: '1' })).stdout.trim()).toBe('undefined')
    // A folder that cannot be: a file is in its way.
    rmSync(join(modules, '.cache'), { recursive: true })
    writeFileSync(join(modules, '.cache'), '')
    expect((await start({ NODE_COMPILE_CACHE: '' })).stdout.trim()).toBe('undefined')
  })
}

// Node 20 has no such hooks, and no need of them: `npm run newer` runs these by a Node that has both.
if ('registerHooks' in module) {
  /** Counts what is looked up from inside of Drizzle in the way of Node. Whose hooks come later are asked first. */
  const counting = file(
    'counting.mjs',
    `import { registerHooks } from 'node:module'
    let count = 0
    registerHooks({
      resolve(specifier, context, next) {
        if (context.parentURL?.includes('/node_modules/drizzle-orm/')) count++
        return next(specifier, context)
      },
    })
    process.on('exit', () => console.log('looked up ' + count))`,
  )
  const lookedUp = async (...args: string[]) => Number(/looked up (\d+)$/.exec(await node('--import', counting, ...args))?.[1])
  const panel = file(
    'panel.ts',
    `import { definePanel } from ${JSON.stringify(dist('index.js'))}
    export default definePanel({ database: ${JSON.stringify(`sqlite:${join(folder, 'panel.db')}`)}, resources: [] })`,
  )

  test('with it Node looks up none of the modules that Drizzle names beside its own', async () => {
    const script = ['--input-type=module', '-e', "import 'drizzle-orm/sqlite-core'"]
    expect(await lookedUp(...script)).toBeGreaterThan(100)
    expect(await lookedUp('--import', dist('preload.js'), ...script)).toBe(0)
  })

  test('it leaves to Node what Drizzle brings with it, what is loaded anew and what is not there', async () => {
    const drizzle = join(folder, 'node_modules/drizzle-orm')
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(drizzle, path)), { recursive: true })
      writeFileSync(join(drizzle, path), text)
    }
    write('package.json', '{ "type": "module" }')
    write('beside.js', 'export const url = import.meta.url')
    write(
      'index.js',
      "export { url } from './beside.js'\nexport { default as common } from './node_modules/common/wrapper.js'\nexport { default as other } from './node_modules/common/lib/other.js'",
    )
    write('missing.js', "import './nothing.js'")
    write('node_modules/common/package.json', '{ "type": "module" }')
    write('node_modules/common/lib/package.json', '{ "type": "commonjs" }')
    write('node_modules/common/wrapper.js', "export { default } from './lib/common.js'")
    write('node_modules/common/lib/common.js', "module.exports = 'common'")
    write('node_modules/common/lib/other.js', "module.exports = 'other'")
    const anew = file(
      'anew.mjs',
      `import { registerHooks } from 'node:module'
      registerHooks({
        resolve(specifier, context, next) {
          const { url, ...found } = next(specifier, context)
          const query = context.parentURL?.match(/\\?.*/)?.[0] ?? ''
          return { ...found, url: url.startsWith('file:') ? url + query : url }
        },
      })`,
    )
    const script = `
      const one = await import('drizzle-orm/index.js')
      const again = await import(${JSON.stringify(`${pathToFileURL(drizzle).href}/index.js?2`)})
      const missing = await import('drizzle-orm/missing.js').catch((error) => error.code)
      console.log(one.common, one.other, one.url.endsWith('/beside.js'), again.url.endsWith('/beside.js?2'), missing)`
    const main = join(folder, 'main.mjs')
    writeFileSync(main, script)
    const expected = 'common other true true ERR_MODULE_NOT_FOUND'
    expect(await node('--import', anew, main)).toBe(expected)
    expect(await node('--import', anew, '--import', dist('preload.js'), main)).toBe(expected)
  })

  test('a command has it by itself', async () => {
    expect(await lookedUp(join(root, 'dist/cli/main.js'), 'user:list', '--panel', fileURLToPath(panel))).toBe(0)
  })
}
