import Libsql from 'libsql'

/**
 * A connection of a test's own to a file that a panel of the same process has open by its URL, with the interface of libsql. It is by the library that such a panel takes on
 * this Node: two copies of SQLite in one process break each other's locks, and miss each other's changes.
 */
export type Sqlite = Libsql.Database

/** Of `node:sqlite`, whose types are newer than the oldest Node that the tests run on. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string, settings: { readonly enableForeignKeyConstraints: boolean }) => NodeDatabase
  readonly StatementSync: { readonly prototype: object }
}

interface NodeDatabase {
  exec(sql: string): void
  prepare(sql: string): NodeStatement
  close(): void
}

interface NodeStatement {
  setReturnArrays(on: boolean): void
  all(...values: readonly unknown[]): unknown[]
  get(...values: readonly unknown[]): unknown
  run(...values: readonly unknown[]): unknown
}

export const Sqlite = (asNode() ?? Libsql) as typeof Libsql

function asNode() {
  const node = process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined
  if (!node || !('setReturnArrays' in node.StatementSync.prototype)) return null
  const { DatabaseSync } = node
  return class {
    readonly #db: NodeDatabase
    constructor(path: string) {
      this.#db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    }

    exec(sql: string) {
      this.#db.exec(sql)
    }

    prepare(sql: string) {
      return new Statement(this.#db.prepare(sql))
    }

    close() {
      this.#db.close()
    }
  }
}

class Statement {
  readonly #prepared: NodeStatement
  constructor(prepared: NodeStatement) {
    this.#prepared = prepared
  }

  raw() {
    this.#prepared.setReturnArrays(true)
    return this
  }

  all(...values: readonly unknown[]) {
    return this.#prepared.all(...values.flat())
  }

  get(...values: readonly unknown[]) {
    return this.#prepared.get(...values.flat())
  }

  run(...values: readonly unknown[]) {
    return this.#prepared.run(...values.flat())
  }
}
