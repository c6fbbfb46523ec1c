import type { Driver } from './driver.js'

/**
 * What a write to a table may change, by the table's lower-case name. Null: unknown, because of a trigger, a REPLACE conflict clause or a
 * virtual table. A name that is missing is not a table.
 */
export type Reach = ReadonlyMap<string, Reached | null>

export interface Reached {
  /** Itself, and the tables that foreign keys cascade to. */
  readonly tables: readonly string[]
  /** Whether an update may change columns of the table that it does not set: generated ones, or those that foreign keys lead back to. */
  readonly more: boolean
}

const tables = "select name, sql from sqlite_schema where type = 'table'"
const triggers =
  "select tbl_name from sqlite_schema where type = 'trigger' union select tbl_name from sqlite_temp_schema where type = 'trigger'"
const followed = `select s.name, f."table" from sqlite_schema s join temp.pragma_foreign_key_list(s.name) f
  where s.type = 'table' and (f.on_update not in ('NO ACTION', 'RESTRICT') or f.on_delete not in ('NO ACTION', 'RESTRICT'))`

/** Reads the schema. If that fails, a write to any table counts as changing anything. */
export function reachOf(driver: Driver): Reach {
  try {
    return read(driver)
  } catch {
    return new Map()
  }
}

function read(driver: Driver): Reach {
  const ask = (sql: string) => driver.prepare(sql, false).all([]) as [string, string][]
  const triggered = new Set(ask(triggers).map(([name]) => folded(name)))
  const behind = new Map<string, string[]>()
  for (const [child, parent] of ask(followed)) behind.set(folded(parent), [...(behind.get(folded(parent)) ?? []), folded(child)])
  const sqls = new Map(ask(tables).map(([name, sql]) => [folded(name), sql]))
  const all = new Map([...sqls].map(([name, sql]) => [name, isOrdinary(sql) && !triggered.has(name)]))
  return new Map(
    [...all.keys()].map((name) => {
      const reached = new Set([name])
      // Iterating a Set also visits what is added meanwhile, so this follows chains of foreign keys.
      for (const one of reached) for (const child of behind.get(one) ?? []) reached.add(child)
      if (![...reached].every((one) => all.get(one))) return [name, null]
      const back = [...reached].some((one) => behind.get(one)?.includes(name))
      return [name, { tables: [...reached], more: back || generates(sqls.get(name) ?? null) }]
    }),
  )
}

/** A virtual table's module may store rows anywhere, and REPLACE silently deletes conflicting rows. */
const isOrdinary = (sql: string | null) => sql !== null && !/^\s*create\s+virtual/i.test(sql) && !/\breplace\b/i.test(sql)

/** May be true of one that generates nothing: `as` is also part of a cast, and of comments. */
const generates = (sql: string | null) => sql === null || /\bas\b/i.test(sql)

/** SQLite compares names case-insensitively, for ASCII letters only. */
export const folded = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
