import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Block, compileFaults, tsBlocks } from './support/docs.js'

const root = fileURLToPath(new URL('..', import.meta.url))

test('every ts block in the documents and in the doc comments of src compiles', { timeout: 300_000 }, () => {
  const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...below('docs', '.md'), ...below('src', '.ts')]
  expect(compileFaults(files.flatMap(blocksOf), root)).toEqual([])
})

test('a block that does not compile is named by file and line', { timeout: 60_000 }, () => {
  const text = [
    '# Title',
    '',
    '- in a list:',
    '  ```ts',
    '  const one = 1',
    "  const two: number = 'two'",
    '  ```',
    '',
    '```sh',
    'npm test',
    '```',
  ]
  const blocks = tsBlocks('docs/bad.md', text.join('\n'))
  expect(blocks).toEqual([{ file: 'docs/bad.md', line: 5, code: "const one = 1\nconst two: number = 'two'" }])
  expect(compileFaults(blocks, root)).toEqual(["docs/bad.md:6 Type 'string' is not assignable to type 'number'."])
})

test('a block meets the strict settings, imports what it uses and shares nothing with the next', { timeout: 60_000 }, () => {
  const blocks = [
    'export const first = (list: string[]): string => list[0]',
    "import { nothing } from 'daymark/no-such-entry'",
    'export const a = 1',
    'export const b = a',
    'export const c = (',
  ].map((code, i) => ({ file: 'bad.md', line: (i + 1) * 10, code }))
  expect(compileFaults(blocks, root).map((fault) => fault.split(' ')[0])).toEqual(['bad.md:10', 'bad.md:20', 'bad.md:40', 'bad.md:50'])
})

test('a block that begins with its name can be imported by those behind it in its document, as it is then', { timeout: 60_000 }, () => {
  const blocks = [
    ['a.md', "import { a } from './a.js'\nexport const early = a"],
    ['a.md', '// a.ts\nexport const a = 1'],
    ['a.md', "import { a } from './a.js'\nexport const one: 1 = a"],
    ['a.md', '// a.ts\nexport const a = 2'],
    ['a.md', "import { a } from './a.js'\nexport const one: 1 = a"],
    ['b.md', "import { a } from './a.js'\nexport const other = a"],
  ].map(([file = '', code = ''], i) => ({ file, code, line: i * 10 }))
  expect(compileFaults(blocks, root).map((fault) => fault.split(' ')[0])).toEqual(['a.md:0', 'a.md:41', 'b.md:50'])
})

test('a doc comment gives its block without the stars', () => {
  const text = ['/**', ' * Says it.', ' * @example', ' * ```ts', ' * if (true) {', ' *', ' *   say()', ' * }', ' * ```', ' */'].join('\n')
  expect(tsBlocks('src/say.ts', text)).toEqual([{ file: 'src/say.ts', line: 5, code: 'if (true) {\n\n  say()\n}' }])
})

function blocksOf(file: string): Block[] {
  return existsSync(join(root, file)) ? tsBlocks(file, readFileSync(join(root, file), 'utf8')) : []
}

function below(folder: string, ending: string): string[] {
  if (!existsSync(join(root, folder))) return []
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}
