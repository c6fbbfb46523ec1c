// Bundles and minifies the assets of the pages, compresses them, and names them by hash. The build uses it, and so can work on the design.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { main, root } from './run.mjs'

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' }
const target = ['chrome123', 'firefox121', 'safari17.5']

/** Writes every asset and `manifest.json` (logical name → hash, file, type, bytes of each encoding) to a folder. */
export async function buildAssets(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const manifest = {}
  for (const [name, body] of await bodies()) manifest[name] = write(folder, name, body)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2))
  return manifest
}

async function bodies() {
  // A dynamic import: in a fresh clone, nothing is installed yet when this file loads.
  const { build } = await import('esbuild')
  const bundle = async (entry) => {
    const { outputFiles } = await build({
      entryPoints: [join(root, entry)],
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target,
    })
    return Buffer.from(outputFiles[0].contents)
  }
  const images = join(root, 'src/html/images')
  return [
    ['daymark.css', await bundle('src/html/css/daymark.css')],
    ['daymark.js', await bundle('src/browser/main.ts')],
    // Pages load each of these only if they have what it is for, which its first lines say.
    ['moves.js', await bundle('src/browser/moves.ts')],
    ['columns.js', await bundle('src/browser/columns.ts')],
    ['dragging.js', await bundle('src/browser/dragging.ts')],
    ['undo.js', await bundle('src/browser/undo.ts')],
    ['uploads.js', await bundle('src/browser/uploads.ts')],
    ['markdown.js', await bundle('src/browser/markdown.ts')],
    ['repeater.js', await bundle('src/browser/repeater.ts')],
    ['tags.js', await bundle('src/browser/tags.ts')],
    ['matching.js', await bundle('src/browser/matching.ts')],
    ['following.js', await bundle('src/browser/following.ts')],
    ['neighbours.js', await bundle('src/browser/neighbours.ts')],
    ['passkeys.js', await bundle('src/browser/passkeys.ts')],
    ['notifications.js', await bundle('src/browser/notifications.ts')],
    ['comments.js', await bundle('src/browser/comments.ts')],
    ['imports.js', await bundle('src/browser/imports.ts')],
    ['account.css', await bundle('src/html/css/account.css')],
    ['import.css', await bundle('src/html/css/import.css')],
    ['forms.js', await bundle('src/browser/forms.ts')],
    // Only the documentation page loads these.
    ['docs.css', await bundle('src/html/css/docs.css')],
    ['docs.js', await bundle('src/browser/docs.ts')],
    ['scalar.js', viewer()],
    ...readdirSync(images).map((file) => [basename(file), readFileSync(join(images, file))]),
  ]
}

// It probes whether code may be evaluated. Our policy forbids that and browsers report the attempt, though the viewer works without.
const probe = 'try{return new Function(""),!0}catch(e){return!1}'

function viewer() {
  const parts = readFileSync(join(root, 'node_modules/@scalar/api-reference/dist/browser/standalone.js'), 'utf8').split(probe)
  if (parts.length !== 2)
    throw new Error('The viewer of the documentation asks in another way whether it may run text as code: see scripts/assets.mjs')
  return Buffer.from(parts.join('return!1'))
}

function write(folder, name, body) {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const encodings = {
    br: brotliCompressSync(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: body.length > 1_000_000 ? 7 : 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
    gzip: gzipSync(body, { level: 9 }),
  }
  writeFileSync(join(folder, name), body)
  const bytes = { identity: body.length }
  for (const [encoding, compressed] of Object.entries(encodings)) {
    writeFileSync(join(folder, `${name}.${encoding}`), compressed)
    bytes[encoding] = compressed.length
  }
  return { hash, file: name, type: types[name.split('.').pop()], bytes }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const manifest = await buildAssets(join(root, 'dist/assets'))
    for (const [name, { bytes }] of Object.entries(manifest))
      console.log(`${name}: ${bytes.identity} bytes, ${bytes.gzip} gzip, ${bytes.br} br`)
  })
}
