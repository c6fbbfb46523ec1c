/** The tables by name, a table after those that it refers to. Their rows are read only where they are needed. */
export const steps = [
  { name: 'countries', rows: async () => (await import('./sources.js')).countryRows() },
  { name: 'languages', rows: async () => (await import('./sources.js')).languageRows() },
  { name: 'cities', rows: async () => (await import('./sources.js')).cityRows() },
] as const satisfies { name: string; rows: () => Promise<Row[]> }[]

export type Row = Record<string, unknown>

/** How many rows are written at once. */
export const chunk = 5_000

/** What is stored of a row: the values of its columns, in their order. */
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
