import Database from 'libsql'

let count = 0

/** A database that seems to be changed by somebody else before each read: `data_version` is another one each time. All else is as it is. */
export class Changing extends Database {
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
