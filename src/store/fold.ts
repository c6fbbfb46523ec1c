/**
 * The characters that a search takes for this one: those that differ from it in case only, alone or through a third (σ ς Σ; i I ı İ; k K and the Kelvin sign).
 * Character by character: ß is not SS, and composed and decomposed letters stay different.
 */
export function variants(character: string): readonly string[] {
  classes ??= caseClasses()
  return classes.get(character) ?? [character]
}

/** A text in which all variants of a character have become one, so that two texts can be compared. */
export function fold(text: string): string {
  let folded = ''
  for (const character of text) folded += variants(character)[0]
  return folded
}

let classes: ReadonlyMap<string, readonly string[]> | undefined

const lastWithCase = 0x1e943

// Made at the first search, in some 20 ms: whoever never searches pays nothing.
function caseClasses(): ReadonlyMap<string, readonly string[]> {
  const classOf = new Map<string, string[]>()
  for (let point = 0x41; point <= lastWithCase; point++) {
    const character = String.fromCodePoint(point)
    const lower = String.fromCodePoint(character.toLowerCase().codePointAt(0) as number) // İ becomes i and a dot above
    const upper = character.toUpperCase()
    if (lower !== character) join(classOf, lower, character)
    if (upper !== character && upper.length === character.length) join(classOf, upper, character)
  }
  return classOf
}

function join(classOf: Map<string, string[]>, a: string, b: string): void {
  const first = classOf.get(a) ?? [a]
  const second = classOf.get(b) ?? [b]
  if (first === second) return
  first.push(...second)
  for (const character of first) classOf.set(character, first)
}
