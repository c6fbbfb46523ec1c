// The SQLite that a panel uses on this Node, with libsql's interface: all servers use the same one, and no process has two copies of it.
import Libsql from 'libsql'

const node = process.getBuiltinModule?.('node:sqlite')
const isNodes = node !== undefined && 'setReturnArrays' in node.StatementSync.prototype

export const driver = isNodes ? 'node:sqlite' : 'libsql'

class NodeDatabase {
  #db
  constructor(path, { readonly = false } = {}) {
    this.#db = new node.DatabaseSync(path, { readOnly: readonly, enableForeignKeyConstraints: false })
  }

  prepare(sql) {
    return new Statement(this.#db.prepare(sql))
  }

  exec(sql) {
    this.#db.exec(sql)
  }

  pragma(text) {
    return this.prepare(`pragma ${text}`).all()
  }

  close() {
    this.#db.close()
  }
}

class Statement {
  #prepared
  constructor(prepared) {
    this.#prepared = prepared
    this.reader = prepared.columns().length > 0
  }

  raw() {
    this.#prepared.setReturnArrays(true)
    return this
  }

  safeIntegers(on) {
    this.#prepared.setReadBigInts(on)
    return this
  }

  all(values = []) {
    return this.#prepared.all(...values)
  }

  get(values = []) {
    return this.#prepared.get(...values)
  }

  run(values = []) {
    return this.#prepared.run(...values)
  }
}

export const Database = isNodes ? NodeDatabase : Libsql
