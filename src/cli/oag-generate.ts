import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { defineCommand } from 'citty'
import { type DocumentFile, documentFiles } from './oag-file.js'
import { panelArgument } from './panel-file.js'
import { Stop } from './stop.js'

export const oagGenerate = defineCommand({
  meta: { name: 'oag:generate', description: 'Writes the OpenAPI document of the panel, as YAML and as JSON' },
  args: {
    check: { type: 'boolean', description: 'Writes nothing: shows what differs, and fails where something does' },
    out: { type: 'string', description: 'Where to write, in place of the path that oag() says' },
    stdout: { type: 'boolean', description: 'Writes the YAML to the standard output and no file' },
    ...panelArgument,
  },
  async run({ args }) {
    const { yaml, json } = await documentFiles(args.panel, args.out)
    if (args.stdout) process.stdout.write(yaml.text)
    else if (args.check) check([yaml, json])
    else for (const file of [yaml, json]) write(file)
  },
})

function write({ path, text }: DocumentFile): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`Wrote ${relative('.', path)}`)
}

function check(files: readonly DocumentFile[]): void {
  const stale = files.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
  for (const { path, text } of stale)
    console.log(
      existsSync(path) ? difference(relative('.', path), readFileSync(path, 'utf8'), text) : `${relative('.', path)} is not there`,
    )
  if (stale.length > 0) throw new Stop('The document is not that of the panel: daymark oag:generate writes it anew')
  console.log('The document is that of the panel')
}

const most = 40

/** The lines that differ between two texts, in order and numbered. */
function difference(name: string, old: string, now: string): string {
  const [before, after] = [old.split('\n'), now.split('\n')]
  let [start, end] = [0, 0]
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [gone, come] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const [kept, added] = [new Set(gone), new Set(come)]
  const lines = [
    ...gone.map((line, i) => ({ line: start + i + 1, text: `- ${line}`, other: added.has(line) })),
    ...come.map((line, i) => ({ line: start + i + 1, text: `+ ${line}`, other: kept.has(line) })),
  ]
    .filter(({ other }) => !other)
    .sort((a, b) => a.line - b.line)
  const shown = lines.slice(0, most).map(({ line, text }) => `${String(line).padStart(6)} ${text}`)
  return [`${name}:`, ...shown, ...(lines.length > most ? [`       … and ${lines.length - most} more lines`] : [])].join('\n')
}
