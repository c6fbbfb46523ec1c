import { dirname, join } from 'node:path/posix'
import ts from 'typescript'

/** Source text by path below src, such as `field/kinds/text.ts`. */
export type Sources = Record<string, string>

const drawers = /(^|\/)(types\.ts$|(utils|helpers|common)\/)/

/** What breaks the house rules, one line a fault, each naming file and line. */
export function architectureFaults(sources: Sources, order: readonly string[]): string[] {
  const links = Object.entries(sources).flatMap(([file, text]) => linksOf(file, text))
  return [
    ...Object.keys(sources).flatMap((file) => placeFaults(file, order)),
    ...links.flatMap((link) => linkFaults(link, order)),
    ...cycles(links),
  ]
}

interface Link {
  from: string
  at: string
  specifier: string
  /** Path below src, or undefined for a package. */
  to: string | undefined
  star: boolean
}

function placeFaults(file: string, order: readonly string[]): string[] {
  const room = roomOf(file, order)
  return [
    ...(order.includes(room) ? [] : [`${file}: the room ${room} has no place in the order`]),
    ...(drawers.test(file) ? [`${file}: no types.ts, utils/, helpers/ or common/: a type lives in the room that owns the idea`] : []),
  ]
}

function linkFaults({ from, at, specifier, to, star }: Link, order: readonly string[]): string[] {
  if (star) return [`${at}: export * hides what is exported; name it`]
  if (/^daymark(\/|$)/.test(specifier)) return [`${at}: imports its own package by name (${specifier})`]
  if (to === undefined) return []
  if (to.startsWith('..')) return [`${at}: imports ${specifier}, outside src`]
  const [here, there] = [roomOf(from, order), roomOf(to, order)]
  if (order.indexOf(there) > order.indexOf(here)) return [`${at}: ${here} imports ${there}, which stands below it (${specifier})`]
  if (within(here, 'html') && there === 'json') return [`${at}: html and json are siblings and never import each other (${specifier})`]
  if (within(here, 'browser') && !within(there, 'browser')) return [`${at}: browser imports no other room (${specifier})`]
  if (inKinds(from) && !(there === 'base' || (there === 'field' && !inKinds(to)) || isItsTest(from, to))) {
    return [`${at}: a kind imports only base/ and field/, no other kind (${specifier})`]
  }
  return []
}

/** Where a file stands: in its room, or, in a large one, in the folder below it, unless the order names the file itself. */
function roomOf(path: string, order: readonly string[]): string {
  const [room, folder] = path.split('/')
  return [path, `${room}/${folder}`].find((place) => order.includes(place)) ?? (room as string)
}

const within = (place: string, room: string) => place.split('/')[0] === room

function inKinds(path: string): boolean {
  return path.startsWith('field/kinds/')
}

function isItsTest(from: string, to: string): boolean {
  return from.replace(/\.test\.ts$/, '.ts') === to
}

function linksOf(from: string, text: string): Link[] {
  const source = ts.createSourceFile(from, text, ts.ScriptTarget.Latest)
  const links: Link[] = []
  const add = (literal: ts.Node | undefined, star = false) => {
    if (!literal || !ts.isStringLiteralLike(literal)) return
    const { line } = source.getLineAndCharacterOfPosition(literal.getStart(source))
    links.push({ from, at: `${from}:${line + 1}`, specifier: literal.text, to: target(from, literal.text), star })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier)
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.exportClause === undefined)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return links
}

function target(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? join(dirname(from), specifier).replace(/\.js$/, '.ts') : undefined
}

/** Each file-level cycle once, from its first file in reading order. */
function cycles(links: Link[]): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const walk = (file: string, path: string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) found.push(`import cycle: ${[...path.slice(start), file].join(' → ')}`)
    if (start >= 0 || done.has(file)) return
    for (const link of links) if (link.from === file && link.to !== undefined) walk(link.to, [...path, file])
    done.add(file)
  }
  for (const { from } of links) walk(from, [])
  return found
}
