import Database from 'libsql'

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
    const views = sql
      .split(' from ')[0]
      .split(', ')
      .findIndex((column) => column.includes('"views"'))
    if (views < 0 || !sql.startsWith('select')) return statement
    const all = (values) => {
      const rows = statement.all(values)
      if (rows.length > 1) rows[0][views] += count % 1000
      return rows
    }
    return { reader: true, raw: () => statement.raw(), get: (values) => statement.get(values), all }
  }
}
