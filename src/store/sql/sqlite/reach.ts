import type { Driver } from './driver.js'

/** What a write to a table may change, by the name of the table in lower case: itself, and tables that foreign keys lead on to. Null: anything, by a trigger, a conflict that replaces, or a module that makes the table up. What is not there is no table. */
export type Reach = ReadonlyMap<string, readonly string[] | null>

const tables = "select name, sql from sqlite_schema where type = 'table'"
const triggers =
  "select tbl_name from sqlite_schema where type = 'trigger' union select tbl_name from sqlite_temp_schema where type = 'trigger'"
const followed = `select s.name, f."table" from sqlite_schema s join pragma_foreign_key_list(s.name) f
  where s.type = 'table' and (f.on_update not in ('NO ACTION', 'RESTRICT') or f.on_delete not in ('NO ACTION', 'RESTRICT'))`

/** Asks the database. Where it doesn't say, a write to any table may change anything. */
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
  const all = new Map(ask(tables).map(([name, sql]) => [folded(name), isOrdinary(sql) && !triggered.has(folded(name))]))
  return new Map(
    [...all.keys()].map((name) => {
      const reached = new Set([name])
      // A set that grows while it is walked through gives what came to it, too.
      for (const one of reached) for (const child of behind.get(one) ?? []) reached.add(child)
      return [name, [...reached].every((one) => all.get(one)) ? [...reached] : null]
    }),
  )
}

/** Rows of a virtual table are wherever its module keeps them, and a conflict that replaces takes other rows away without a word. */
const isOrdinary = (sql: string | null) => sql !== null && !/^\s*create\s+virtual/i.test(sql) && !/\breplace\b/i.test(sql)

/** SQLite takes names for the same that differ in the case of ASCII letters. */
export const folded = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
