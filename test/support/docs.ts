import { dirname, join } from 'node:path'
import ts from 'typescript'

/** A fenced `ts` block; `line` is the line, from 1, of its first line of code. */
export interface Block {
  file: string
  line: number
  code: string
}

/** The `ts` blocks of a Markdown text, or of the doc comments of a source text. */
export function tsBlocks(file: string, text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const margin = /^(\s*(?:\* ?)?)```(?:ts|typescript)\b/.exec(lines[i] ?? '')?.[1]
    if (margin === undefined) continue
    const code: string[] = []
    const line = i + 2
    while (++i < lines.length && !/^\s*(?:\* ?)?```\s*$/.test(lines[i] ?? '')) {
      const current = lines[i] ?? ''
      code.push(current.startsWith(margin) ? current.slice(margin.length) : current.replace(/^\s*\*?/, ''))
    }
    blocks.push({ file, line, code: code.join('\n') })
  }
  return blocks
}

/**
 * Compiles every block as a module of its own, in a folder of the project; one line a diagnostic, with file and line of the document. One
 * that begins with its name, `// schema.ts`, can be imported by those behind it in the same document. What a block declares of another
 * module holds for nothing but itself.
 */
export function compileFaults(blocks: Block[], root: string): string[] {
  const declares = ({ code }: Block) => /^declare module/m.test(code)
  const apart = blocks.filter(declares).map((one) => [one])
  return [blocks.filter((one) => !declares(one)), ...apart].flatMap((some) => faultsTogether(some, root))
}

function faultsTogether(blocks: Block[], root: string): string[] {
  const options: ts.CompilerOptions = {
    ...projectOptions(join(root, 'tsconfig.json')),
    moduleDetection: ts.ModuleDetectionKind.Force,
    // An example may declare what only its reader goes on to use.
    noUnusedLocals: false,
    noUnusedParameters: false,
    incremental: false,
  }
  const modules = new Map<string, Block>()
  const texts = new Map<string, string>()
  for (const [i, block] of blocks.entries()) {
    const folder = join(root, `example-${i}`)
    const path = join(folder, nameOf(block) ?? 'example.ts')
    modules.set(path, block)
    texts.set(path, block.code)
    for (const [name, { code }] of filesUpTo(blocks, i)) texts.set(join(folder, name), code)
  }
  const folders = new Set([...modules.keys()].map(dirname))
  const disk = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...disk,
    directoryExists: (path) => folders.has(path) || disk.directoryExists?.(path) === true,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile: (path, languageVersion) => {
      const text = texts.get(path)
      return text === undefined ? disk.getSourceFile(path, languageVersion) : ts.createSourceFile(path, text, languageVersion, true)
    },
  }
  const program = ts.createProgram([...modules.keys()], options, host)
  return [...modules].flatMap(([path, block]) => {
    const source = program.getSourceFile(path)
    const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return diagnostics.map(({ start = 0, messageText }) => {
      const line = block.line + (source?.getLineAndCharacterOfPosition(start).line ?? 0)
      return `${block.file}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
  })
}

/** The files that a document has named by its block `last`, that one included; what it names again is as it is then. */
export function filesUpTo(blocks: readonly Block[], last: number): Map<string, Block> {
  const files = new Map<string, Block>()
  for (const block of blocks.slice(0, last + 1)) {
    const name = nameOf(block)
    if (block.file === blocks[last]?.file && name !== null) files.set(name, block)
  }
  return files
}

const nameOf = ({ code }: Block) => /^\/\/ ([\w.-]+\.ts)\n/.exec(code)?.[1] ?? null

function projectOptions(path: string): ts.CompilerOptions {
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile)
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'))
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(path)).options
}
