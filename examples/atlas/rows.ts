/** The tables in order of their references. Rows are loaded only if needed. */
export const steps = [
  { name: 'countries', rows: async () => (await import('./sources.js')).countryRows() },
  { name: 'languages', rows: async () => (await import('./sources.js')).languageRows() },
  { name: 'country_languages', rows: async () => (await import('./sources.js')).countryLanguageRows() },
  { name: 'cities', rows: async () => (await import('./sources.js')).cityRows() },
  { name: 'stops', rows: async () => (await import('./sources.js')).stopRows() },
] as const satisfies { name: string; rows: () => Promise<Row[]> }[]

/** Columns that a database which was seeded before has not. */
export const addedLater = [
  { table: 'cities', column: 'photo', sqlite: 'TEXT', postgresql: 'TEXT' },
  { table: 'cities', column: 'documents', sqlite: 'TEXT', postgresql: 'JSONB' },
  { table: 'languages', column: 'deleted_at', sqlite: 'INTEGER', postgresql: 'TIMESTAMPTZ(3)' },
  { table: 'stops', column: 'state', sqlite: "TEXT NOT NULL DEFAULT 'planned'", postgresql: "TEXT NOT NULL DEFAULT 'planned'" },
  { table: 'stops', column: 'arrival', sqlite: 'TEXT', postgresql: 'DATE' },
  { table: 'stops', column: 'themes', sqlite: 'TEXT', postgresql: 'JSONB' },
] as const

export type Row = Record<string, unknown>

/** How many rows are written at a time. */
export const chunk = 5_000

/** A row's values as stored, in column order. */
export function stored(
  columns: readonly (readonly [
    key: string,
    column: { defaultFn?: (() => unknown) | undefined; mapToDriverValue(value: unknown): unknown },
  ])[],
  row: Row,
): unknown[] {
  return columns.map(([key, column]) => {
    const value = row[key] ?? column.defaultFn?.() ?? null
    return value === null ? null : column.mapToDriverValue(value)
  })
}
