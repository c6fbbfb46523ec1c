import { Database } from './sqlite.mjs'

let count = 0

/** Empties a connection's page cache. */
export const forget = 'pragma shrink_memory'

/**
 * A database that seems to be changed by someone else before each read: `data_version` always differs, and its page cache is empty, as
 * SQLite leaves it when it finds such a change.
 */
export class ChangedElsewhere extends Database {
  prepare(sql) {
    const statement = super.prepare(sql)
    if (sql !== 'pragma data_version') return statement
    const get = (values) => {
      statement.get(values)
      this.exec(forget)
      return [count++]
    }
    return { reader: true, raw() {}, get }
  }
}

/** One whose rows seem to change as well: the first row of each page gets a new number of views. */
export class ChangedRows extends ChangedElsewhere {
  prepare(sql) {
    const statement = super.prepare(sql)
    const [, columns] = /\bselect ("posts"\."id", .*?) from /.exec(sql) ?? []
    const views = columns?.split(', ').findIndex((column) => column.includes('"views"')) ?? -1
    if (views < 0) return statement
    const change = (row) => {
      row[views] += count % 1000
      return row
    }
    const all = (values) => {
      const rows = statement.all(values)
      if (rows.length > 1) change(rows[0])
      return rows
    }
    const get = (values) => {
      const row = statement.get(values)
      if (!Buffer.isBuffer(row?.[0])) return row
      const [text] = row
      // A page of records as JSON.
      if (text[0] === 123) {
        text[text.indexOf(44, text.indexOf('"views":')) - 1] = 48 + (count % 10)
        return row
      }
      // A page read as one text has a row per line, its integers first: the key, then the views.
      if (text.includes(10)) text[text.indexOf(44, text.indexOf(44) + 1) - 1] = 48 + (count % 10)
      return row
    }
    return { reader: true, raw: () => statement.raw(), get, all }
  }
}
