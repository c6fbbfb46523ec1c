import { Database } from './sqlite.mjs'

let count = 0

/** A database that somebody else seems to have changed before each read: `data_version` is another one each time. All else is as it is. */
export class ChangedElsewhere extends Database {
  prepare(sql) {
    const statement = super.prepare(sql)
    if (sql !== 'pragma data_version') return statement
    const get = (values) => {
      statement.get(values)
      return [count++]
    }
    return { reader: true, raw() {}, get }
  }
}

/** One that seems to have changed the rows: the first of a page has another number of views each time. */
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
      // A page in one text has a row on each line: the views stand before the price, which is the last that has quotes.
      const end = Buffer.isBuffer(row?.[0]) ? row[0].indexOf(10) : -1
      if (end > 0) row[0][row[0].lastIndexOf(34, row[0].lastIndexOf(34, end) - 1) - 2] = 48 + (count % 10)
      return row
    }
    return { reader: true, raw: () => statement.raw(), get, all }
  }
}
