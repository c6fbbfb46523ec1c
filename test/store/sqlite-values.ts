// What a SQLite database may hold, whatever its columns are declared as.
import { integer, numeric, real, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'

/** Any value that SQLite can hold, as a SQL literal. */
export const literal = fc.oneof(
  fc.constant('null'),
  fc.maxSafeInteger().map(String),
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(realLiteral),
  // Not -0.0, which SQLite keeps only in untyped columns, and prints as 0.
  fc.constantFrom('9e999', '-9e999', '5.0', '1e15', '1000000000000000.5', '0.1', '0.30000000000000004', '123456789012345.6'),
  fc.string({ unit: 'binary' }).map(textLiteral),
  fc
    .array(
      fc.constantFrom(
        '\0',
        '\\u0000',
        '\n',
        ',\n',
        '"',
        '\\',
        '],[',
        "'",
        '\u0001',
        '\u001f',
        '\u007f',
        '\u2028',
        '😀',
        'a',
        '1',
        '.5',
        'e9',
      ),
      {
        maxLength: 12,
      },
    )
    .map((signs) => textLiteral(signs.join(''))),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => `x'${Buffer.from(bytes).toString('hex')}'`),
)

/** Values that fit most kinds of columns. */
export const ordinary = fc.constantFrom('0', '1', '2', '1700000000123')

function textLiteral(value: string): string {
  return `('${value.toWellFormed().replaceAll("'", "''").replaceAll('\0', "'||char(0)||'")}')`
}

// SQLite should parse the digits that JavaScript writes exactly. In case it does not, the test compares what both ways read, not what was
// written.
function realLiteral(value: number): string {
  const digits = String(value)
  return /[.e]/.test(digits) ? digits : `${digits}.0`
}

/** Columns of every type that SQLite can write as text. */
export const kinds = {
  words: text(),
  json: text({ mode: 'json' }),
  whole: integer(),
  flag: integer({ mode: 'boolean' }),
  at: integer({ mode: 'timestamp_ms' }),
  amount: real(),
  exact: numeric(),
}

/** How the database may declare them. */
export const declarations: readonly (readonly [what: string, columns: string])[] = [
  ['as it should be', 'words text, json text, whole integer, flag integer, at integer, amount real, exact numeric'],
  ['with no types', 'words, json, whole, flag, at, amount, exact'],
  ['with types that are none of its', 'words real, json integer, whole text, flag real, at numeric, amount integer, exact text'],
]

/** What a call gives, or the message of what it throws. */
export async function outcome(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return { rows: await ask() }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
