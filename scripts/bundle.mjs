// Puts the compiled modules of the package into a few files: some 280 files take longer to find and to open than to run.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

// 94 files otherwise. Schemas that a user has made with a copy of their own are read by their structure.
const inside = ['zod']
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Bundles a folder of compiled modules in place. The entry points keep their names; the declarations of types stay as they are. */
export async function bundle(folder) {
  // Loaded here: whoever starts a fresh clone has nothing installed yet when this file is read.
  const { build } = await import('esbuild')
  const built = (entryPoints) =>
    build({
      entryPoints,
      outdir: folder,
      // Beside the folder of assets, as the room that reads them is.
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
  // What `sideEffects` names stands in one file with all that it does: of a chunk a user's bundler would keep nothing.
  const all = entriesIn(folder)
  const alone = all.filter((path) => manifest.sideEffects.some((one) => path.endsWith(one.replace('**', ''))))
  const bundles = await Promise.all([built(all.filter((path) => !alone.includes(path))), ...alone.map((path) => built([path]))])
  const outputFiles = bundles.flatMap((one) => one.outputFiles)
  for (const file of readdirSync(folder, { recursive: true })) if (file.endsWith('.js')) rmSync(join(folder, file))
  mkdirSync(join(folder, 'chunks'), { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
  for (const name of inside) copyFileSync(join(root, 'node_modules', name, 'LICENSE'), join(folder, 'chunks', `LICENSE-${name}.txt`))
}

/** What the package gives out and the command that it has, as far as they are there. */
function entriesIn(folder) {
  const { exports, bin } = manifest
  const given = [...Object.values(exports).map((one) => one.default ?? ''), ...Object.values(bin)]
  return given
    .filter((path) => path.endsWith('.js'))
    .map((path) => join(folder, path.replace('./dist/', '')))
    .filter((path) => existsSync(path))
}
