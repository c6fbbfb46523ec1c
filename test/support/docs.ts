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
 * Compiles every block as a module of its own at the root of the project; one line a diagnostic, with file and line of the document. What a
 * block declares of another module holds for nothing but itself.
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
  const modules = new Map(blocks.map((block, i) => [join(root, `example-${i}.ts`), block]))
  const disk = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => modules.has(path) || disk.fileExists(path),
    readFile: (path) => modules.get(path)?.code ?? disk.readFile(path),
    getSourceFile: (path, languageVersion) => {
      const block = modules.get(path)
      return block ? ts.createSourceFile(path, block.code, languageVersion, true) : disk.getSourceFile(path, languageVersion)
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

function projectOptions(path: string): ts.CompilerOptions {
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile)
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'))
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(path)).options
}
