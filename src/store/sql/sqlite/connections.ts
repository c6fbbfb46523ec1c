import { DaymarkError } from '../../../base/errors.js'
import { Unopened } from '../../unopened.js'
import type { Watch } from '../watch.js'
import { Connection } from './connection.js'
import type { Database } from './database.js'
import { isBusy } from './failure.js'

// SQLite's default page cache of 2 MB holds fewer than a few thousand records. Each page beyond it is copied from the system again, so 16
// MB.
const pragmas =
  'pragma busy_timeout = 0; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16384'

/** The connections of a store. Each is opened at its first use. */
export class Connections {
  #writer: Connection | undefined
  #reader: Connection | undefined
  #closed = false
  constructor(
    readonly database: Database,
    readonly watch: Watch | undefined,
  ) {}

  reader(): Connection {
    this.#reader ??= this.database.oneConnection ? this.#writing() : this.#open()
    return this.#reader
  }

  /**
   * The connection to ask for `data_version`. The writer, if there is one: it sees the changes of all connections but its own, which we
   * know.
   */
  teller(): Connection {
    return this.#writer ?? this.reader()
  }

  /** Begins a transaction on the writing connection. It is `immediate`: no other process can write meanwhile. */
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
      return new Connection(driver, this.watch)
    } catch (error) {
      if (isBusy(error)) throw error
      throw new Unopened(this.database.path, error)
    }
  }
}
