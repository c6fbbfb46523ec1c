// Compiles src to dist and examples to build/examples, if any of their inputs has changed.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installMissing } from './install.mjs'
import { main, root, run, Stop } from './run.mjs'

const inputs = [
  'src',
  'examples',
  'scripts/build.mjs',
  'scripts/assets.mjs',
  'scripts/bundle.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
]
const products = {
  dist: async (folder) => {
    await compile('tsconfig.build.json', folder)
    // Dynamic imports: their dependencies may have only just been installed.
    const [{ bundle }, { buildAssets }] = await Promise.all([import('./bundle.mjs'), import('./assets.mjs')])
    await bundle(folder)
    await buildAssets(join(folder, 'assets'))
    cpSync(join(root, 'src/languages'), join(folder, 'languages'), { recursive: true })
  },
  'build/examples': (folder) => compile('examples', folder),
}
const stamp = join(root, 'build/stamp')

/** Costs only stat calls if nothing has changed. */
export async function buildStale() {
  const wanted = fingerprint()
  if (isBuilt(wanted)) return
  console.log('Building …')
  rmSync(stamp, { force: true })
  removeLeftovers()
  const work = join(root, `build/next-${process.pid}`)
  try {
    for (const [product, make] of Object.entries(products)) await replace(join(root, product), make, work)
    // What Node compiled of the previous build: its files had other names.
    rmSync(join(root, 'node_modules/.cache/daymark'), { recursive: true, force: true })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  writeFileSync(stamp, wanted)
}

// Built aside and moved into place, so that an interrupted or concurrent build never leaves half of one.
async function replace(product, make, work) {
  const next = join(work, 'next')
  mkdirSync(next, { recursive: true })
  await make(next)
  if (existsSync(product)) renameSync(product, join(work, 'previous'))
  renameSync(next, product)
  rmSync(join(work, 'previous'), { recursive: true, force: true })
}

async function compile(project, folder) {
  const code = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project, '--outDir', folder])
  if (code !== 0) throw new Stop('The build failed; the lines above say where.')
}

function isBuilt(wanted) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && Object.keys(products).every((path) => existsSync(join(root, path)))
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap(filesIn)) {
    const { size, mtimeMs } = statSync(join(root, file))
    hash.update(`${file}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function filesIn(input) {
  if (!existsSync(join(root, input))) return []
  if (!statSync(join(root, input)).isDirectory()) return [input]
  return readdirSync(join(root, input), { recursive: true })
    .filter((name) => /\.\w+$/.test(name) && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => `${input}/${name}`)
}

function removeLeftovers() {
  mkdirSync(join(root, 'build'), { recursive: true })
  for (const name of readdirSync(join(root, 'build'))) {
    const pid = /^next-(\d+)$/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(root, 'build', name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await installMissing()
    await buildStale()
  })
}
