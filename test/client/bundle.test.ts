import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

test('the client is under 5 kB as sent, and holds nothing but its own files', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/client.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    write: false,
    metafile: true,
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  const sent = brotliCompressSync(code).length
  console.log(`daymark/client: ${code.length} bytes minified, ${sent} as sent`)
  expect(sent).toBeLessThan(5_000)
  expect(Object.keys(metafile.inputs).filter((path) => !/src\/client(?:\/[a-z]+)?\.ts$/.test(path))).toEqual([])
  expect(Object.values(metafile.outputs).flatMap((one) => one.imports)).toEqual([])
  expect(Buffer.from(code).toString()).not.toContain('node:')
})
