/** A number of a stored JSON text that JavaScript has not: where it stands, as it was written and as it is shown. */
interface Finer {
  /** The names that lead to it; null: some place in a list. */
  readonly path: readonly (string | null)[]
  readonly written: string
  readonly shown: number
}

const finer = new WeakMap<object, readonly Finer[]>()

/** `JSON.parse` of what a database keeps, which may have numbers of more digits than a double. It is not forgotten which those are. */
export function parseStoredJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!mayBeFiner.test(text)) return value
  const found = [...numbersIn(text)].filter(({ written, shown }) => !isHeld(written, shown))
  if (found.length === 0) return value
  // JSON could not say what is beyond all doubles: it is shown as nothing.
  const kept: unknown = JSON.parse(text, (_, one: unknown) => (one === Infinity || one === -Infinity ? null : one))
  // A number that is all of the value has nothing beside it that could be changed.
  if (typeof kept === 'object' && kept !== null) finer.set(kept, found)
  return kept
}

/**
 * The first number that a value would lose if it were written over a stored one: as it was written there, where the value still has it as it was shown.
 * Whoever has put another one there means that.
 */
export function lostNumber(stored: unknown, value: unknown): string | null {
  const all = typeof stored === 'object' && stored !== null ? finer.get(stored) : undefined
  const isStillThere = ({ path, shown }: Finer) => valuesAt(value, path).includes(Number.isFinite(shown) ? shown : null)
  return all?.find(isStillThere)?.written ?? null
}

/** The numbers of a stored value that JavaScript has not, as they were written; null where there are none. */
export function finerNumbers(stored: object): string | null {
  return (
    finer
      .get(stored)
      ?.map(({ written }) => written)
      .join() ?? null
  )
}

// A double holds every number of 15 digits, but for the very great and the very small ones.
const mayBeFiner = /[\d.]{16}|[eE][+-]?\d{3}/

function* numbersIn(text: string): Generator<Finer> {
  const open: { readonly named: boolean; name: string | null }[] = []
  let nameNext = false
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|-?\d[\d.eE+-]*/g)) {
    const inside = open.at(-1)
    if (token === '{' || token === '[') {
      open.push({ named: token === '{', name: null })
      nameNext = true
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ',') nameNext = true
    else if (token.startsWith('"')) {
      if (nameNext && inside?.named) inside.name = JSON.parse(token)
      nameNext = false
    } else yield { path: open.map(({ name }) => name), written: token, shown: Number(token) }
  }
}

/** Whether a double was meant, written with as many digits as anybody writes of one; or the number is the very one. */
function isHeld(written: string, shown: number): boolean {
  const { digits, exponent } = partsOf(written)
  if (digits === '') return true
  if (digits.length > 17 || !Number.isFinite(shown)) return false
  const held = partsOf(shown.toPrecision(digits.length))
  return held.digits === digits && held.exponent === exponent
}

/** The digits of a number without zeros at either end, and the power of ten of the first. */
function partsOf(written: string): { readonly digits: string; readonly exponent: number } {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d*))?(?:[eE](.+))?$/.exec(written) ?? []
  const all = whole + fraction
  const first = all.search(/[1-9]/)
  if (first < 0) return { digits: '', exponent: 0 }
  let end = all.length
  while (all[end - 1] === '0') end--
  return { digits: all.slice(first, end), exponent: Number(power) + whole.length - first }
}

function valuesAt(value: unknown, path: Finer['path']): readonly unknown[] {
  let at: readonly unknown[] = [value]
  for (const name of path)
    at = at.flatMap((one): readonly unknown[] => {
      if (name === null) return Array.isArray(one) ? one : []
      return typeof one === 'object' && one !== null && Object.hasOwn(one, name) ? [(one as Record<string, unknown>)[name]] : []
    })
  return at
}
