import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const src = fileURLToPath(new URL('../../src/', import.meta.url))

/** The text of a source file, by its path below src. */
export function sourceText(path: string): string {
  return readFileSync(`${src}${path}`, 'utf8')
}

/** The paths of the files of a room, below src. */
export function filesIn(room: string): string[] {
  return readdirSync(`${src}${room}`, { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`)
}

/** The names of the members of an interface. */
export function members(path: string, name: string): string[] {
  const file = ts.createSourceFile(path, sourceText(path), ts.ScriptTarget.Latest)
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement) && statement.name.text === name) {
      return statement.members.flatMap((member) => (member.name && ts.isIdentifier(member.name) ? [member.name.text] : []))
    }
  }
  throw new Error(`${path} has no interface ${name}`)
}
