// Says at the end of a run how much of the documents the tests have provoked. What is declared and never came fails the run: it may be a lie.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

interface File {
  readonly declared: readonly string[]
  readonly answered: readonly string[]
  readonly valid: number
}

export default function setup({ config }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-seen-'))
  process.env.DAYMARK_SEEN = folder
  return () => {
    const files = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as File)
    rmSync(folder, { recursive: true, force: true })
    const all = (of: 'declared' | 'answered') => new Set(files.flatMap((file) => file[of]))
    const [declared, answered] = [all('declared'), all('answered')]
    const valid = files.reduce((sum, file) => sum + file.valid, 0)
    if (valid > 0) console.log(`\nOpenAPI: ${valid} JSON answers, each as the document of its panel says`)
    if (declared.size === 0) return
    const operations = (names: Iterable<string>) => new Set([...names].map((one) => one.replace(/ \d+$/, '')))
    const share = (part: number, whole: number) => `${part} of ${whole} (${Math.floor((100 * part) / whole)} %)`
    console.log(
      `OpenAPI, of the documents of the demo and of the sweep: operations declared, exercised and valid ${share(operations(answered).size, operations(declared).size)}, statuses of them ${share(answered.size, declared.size)}`,
    )
    const missing = [...declared].filter((one) => !answered.has(one)).sort()
    // Whoever runs tests by their names has not run them all.
    if (missing.length === 0 || config.testNamePattern) return
    console.error(`Declared, and never provoked:\n${missing.join('\n')}`)
    // The runner has made up its mind by now.
    process.once('exit', () => {
      process.exitCode = 1
    })
  }
}
