import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The text of a document, by its path from the root of the project. */
export function documentText(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

/** The cells of a table's rows below its head, the first table after a heading. */
export function tableRows(path: string, heading: string): string[][] {
  const lines = documentText(path).split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (start < 0) throw new Error(`${path} has no heading "${heading}"`)
  const first = lines.findIndex((line, i) => i > start && line.startsWith('|'))
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'))
  return lines.slice(first + 2, first + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** What stands between backquotes. */
export function codes(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string)
}

/** The first code of each row: what the row is about. */
export function firstCodes(path: string, heading: string): string[] {
  return tableRows(path, heading).flatMap(([cell]) => codes(cell ?? '').slice(0, 1))
}

/** The anchors of a document, as they are made of its headings. */
export function anchors(path: string): Set<string> {
  const headings = documentText(path)
    .replace(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, heading]) =>
      (heading as string)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}
