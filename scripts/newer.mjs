// npm run newer: the tests whose subject differs on newer Nodes. From Node 22.16 on, files are opened by node:sqlite instead of libsql.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildStale } from './build.mjs'
import { installMissing } from './install.mjs'
import { main, npm, root, run, Stop } from './run.mjs'

// Of the oldest release line with it, the version with the most faults.
const version = '22.23.3'
const tests = [
  'src/store',
  'test/http/illegible',
  'test/http/known',
  'test/http/statements',
  'test/http/export',
  'test/http/cursors',
  'test/http/restrict',
  'test/cli/users',
  'test/start',
  'test/preload',
]

await main(async () => {
  if ('setReturnArrays' in (process.getBuiltinModule?.('node:sqlite')?.StatementSync.prototype ?? {})) {
    console.log(`This is Node ${process.versions.node}: the tests themselves are run by it.`)
    return 0
  }
  await installMissing()
  await buildStale()
  const node = await newer()
  return run(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot', ...tests])
})

/** The path of that Node, from the npm registry, which has its binaries as packages. */
async function newer() {
  const folder = join(root, '.cache', `node-${version}`)
  const path = join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(path)) {
    console.log(`Getting Node ${version} …`)
    await npm(['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `node@${version}`])
  }
  if (!existsSync(path))
    throw new Stop(`Node ${version} could not be had from the npm registry. On Node 22.16 or newer "npm test" is enough.`)
  return path
}
