// Bundles the package's compiled modules into a few files: finding and opening some 280 of them takes longer than running them.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

// 94 files otherwise. Schemas that users make with their own copy are read structurally, so they work with ours.
const inside = ['zod']
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Bundles a folder of compiled modules in place. Entry points keep their names; type declarations are not touched. */
export async function bundle(folder) {
  // A dynamic import: in a fresh clone, nothing is installed yet when this file loads.
  const { build } = await import('esbuild')
  const built = (entryPoints) =>
    build({
      entryPoints,
      outdir: folder,
      // One level deep, as the module that reads the assets is, so that its relative path to them stays right.
      chunkNames: 'chunks/[name]-[hash]',
      bundle: true,
      splitting: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter((name) => !inside.includes(name)),
      absWorkingDir: folder,
    })
  // A module with side effects goes into one file with all it imports: a user's bundler would drop a chunk with no used exports.
  const all = entriesIn(folder)
  const alone = all.filter((path) => manifest.sideEffects.some((one) => path.endsWith(one.replace('**', ''))))
  const bundles = await Promise.all([built(all.filter((path) => !alone.includes(path))), ...alone.map((path) => built([path]))])
  const outputFiles = bundles.flatMap((one) => one.outputFiles)
  for (const file of readdirSync(folder, { recursive: true })) if (file.endsWith('.js')) rmSync(join(folder, file))
  mkdirSync(join(folder, 'chunks'), { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
  for (const name of inside) copyFileSync(join(root, 'node_modules', name, 'LICENSE'), join(folder, 'chunks', `LICENSE-${name}.txt`))
}

/** The entry points: exports and commands of the package that exist. */
function entriesIn(folder) {
  const { exports, bin } = manifest
  const given = [...Object.values(exports).map((one) => one.default ?? ''), ...Object.values(bin)]
  return given
    .filter((path) => path.endsWith('.js'))
    .map((path) => join(folder, path.replace('./dist/', '')))
    .filter((path) => existsSync(path))
}
