/** A number of a stored JSON text that a double cannot hold exactly: where it is, its text, and the double that is shown for it. */
interface Finer {
  /** The names that lead to it; null: any index of a list. */
  readonly path: readonly (string | null)[]
  readonly written: string
  readonly shown: number
}

const finer = new WeakMap<object, readonly Finer[]>()

/** `JSON.parse` for stored text, which may contain numbers with more digits than a double. It remembers which ones they are. */
export function parseStoredJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!mayBeFiner.test(text)) return value
  const found = [...numbersIn(text)].filter(({ written, shown }) => !isHeld(written, shown))
  if (found.length === 0) return value
  // JSON cannot express what overflows a double, so that becomes null.
  const kept: unknown = JSON.parse(text, (_, one: unknown) => (one === Infinity || one === -Infinity ? null : one))
  // A value that is a number itself has nothing beside it that an edit could change.
  if (typeof kept === 'object' && kept !== null) finer.set(kept, found)
  return kept
}

/**
 * The first number that writing `value` over the stored one would round, as its stored text. Only numbers that still equal what was shown
 * count: another one is a deliberate change.
 */
export function lostNumber(stored: unknown, value: unknown): string | null {
  const all = typeof stored === 'object' && stored !== null ? finer.get(stored) : undefined
  const isStillThere = ({ path, shown }: Finer) => valuesAt(value, path).includes(Number.isFinite(shown) ? shown : null)
  return all?.find(isStillThere)?.written ?? null
}

/** The stored texts of all numbers that a double cannot hold; null: there are none. */
export function finerNumbers(stored: object): string | null {
  return (
    finer
      .get(stored)
      ?.map(({ written }) => written)
      .join() ?? null
  )
}

// A double holds every number of up to 15 digits, except very large and very small ones.
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

/** Whether the double is exact, or close enough to be what was meant: at most 17 digits, which it reproduces. */
function isHeld(written: string, shown: number): boolean {
  const { digits, exponent } = partsOf(written)
  if (digits === '') return true
  if (digits.length > 17 || !Number.isFinite(shown)) return false
  const held = partsOf(shown.toPrecision(digits.length))
  return held.digits === digits && held.exponent === exponent
}

/** The significant digits of a number, and the decimal exponent of the first. */
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
