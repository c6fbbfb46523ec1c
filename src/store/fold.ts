/**
 * The characters that a search treats as this one: they differ in case only, directly or by way of a third (σ ς Σ; i I ı İ; k K and the
 * Kelvin sign). Folding is per character: ß does not match SS, and composed letters do not match decomposed ones.
 */
export function variants(character: string): readonly string[] {
  classes ??= caseClasses()
  return classes.get(character) ?? [character]
}

/** Replaces each character by one of its variants, always the same, so that texts can be compared. */
export function fold(text: string): string {
  let folded = ''
  for (const character of text) folded += variants(character)[0]
  return folded
}

let classes: ReadonlyMap<string, readonly string[]> | undefined

const lastWithCase = 0x1e943

// Computed at the first search, in some 20 ms, so that it costs nothing at start-up.
function caseClasses(): ReadonlyMap<string, readonly string[]> {
  const classOf = new Map<string, string[]>()
  for (let point = 0x41; point <= lastWithCase; point++) {
    const character = String.fromCodePoint(point)
    const lower = String.fromCodePoint(character.toLowerCase().codePointAt(0) as number) // İ becomes i and a combining dot
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
