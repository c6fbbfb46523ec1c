import { DaymarkError } from '../../../base/errors.js'
import { Unopened } from '../../unopened.js'
import { Connection } from './connection.js'
import type { Database } from './database.js'
import { isBusy } from './failure.js'

// The 2 MB that SQLite keeps of a file by itself are less than a few thousand records: a page beyond them is copied from the system each time.
const pragmas =
  'pragma busy_timeout = 0; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16384'

/** The connections of a store, each opened when it is first needed. */
export class Connections {
  #writer: Connection | undefined
  #reader: Connection | undefined
  #closed = false
  constructor(
    readonly database: Database,
    readonly observe: ((sql: string) => void) | undefined,
  ) {}

  reader(): Connection {
    this.#reader ??= this.database.oneConnection ? this.#writing() : this.#open()
    return this.#reader
  }

  /** Which one is asked whether others have changed the database: where there is one that writes, it is told of them all, and not of itself. */
  teller(): Connection {
    return this.#writer ?? this.reader()
  }

  /** The writing connection, in a transaction that no other process can get in the way of. */
  begin(): Connection {
    const writer = this.#writing()
    writer.begin()
    return writer
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#writer?.driver.close()
    if (this.#reader !== this.#writer) this.#reader?.driver.close()
    this.#writer = this.#reader = undefined
  }

  #writing(): Connection {
    this.#writer ??= this.#open()
    return this.#writer
  }

  #open(): Connection {
    if (this.#closed) throw new DaymarkError('unavailable', 'The store is closed')
    try {
      const driver = this.database.connect()
      try {
        driver.exec(pragmas)
      } catch (error) {
        driver.close()
        throw error
      }
      return new Connection(driver, this.observe)
    } catch (error) {
      if (isBusy(error)) throw error
      throw new Unopened(this.database.path, error)
    }
  }
}
