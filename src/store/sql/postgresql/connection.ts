import { createHash } from 'node:crypto'
import { DaymarkError } from '../../../base/errors.js'
import type { Row } from '../../store.js'
import type { WrittenField, WrittenPage } from '../../written.js'
import type { Mapped } from '../dialect.js'
import type { Plan, Planned } from '../plan.js'
import { boundValues, decode } from '../record.js'
import type { Watch } from '../watch.js'
import { type Client, isUsual, typesOf } from './driver.js'
import { failure, isSpent, unmatched } from './failure.js'
import type { Pulse } from './pulse.js'
import type { Terms } from './terms.js'
import { comma, lineEnd, writings, writtenPage } from './written.js'

/**
 * A connection that runs planned statements in order and prepares each once. If its client can pipeline, statements that are asked for at
 * once are sent at once.
 */
export class Connection {
  /** Whether it must not be used again. */
  spent = false
  #last: Promise<unknown> = Promise.resolve()
  #corked = false
  readonly #prepared = new Set<string>()
  readonly #types
  #isUsual: boolean | null = null
  constructor(
    readonly client: Client,
    readonly pulse: Pulse,
    readonly terms: Terms,
    readonly watch: Watch | undefined,
  ) {
    this.#types = typesOf(client)
    // If this fails, the connection is lost, and the next statement reports that.
    if (terms.greeting !== null) this.exec(terms.greeting).catch(() => {})
  }

  async rows(planned: Planned): Promise<Row[]> {
    const { rows } = await this.#query(planned)
    if (planned.plan.decoders.length > 0) for (const row of rows) decode(planned.plan, row)
    return planned.backwards ? rows.reverse() : rows
  }

  /**
   * Reads rows as JSON; null, at once or later: these values are better read as rows.
   *
   * @param limit how many rows the statement returns at most: with one more than are written, the ends are known
   */
  json(planned: Planned, fields: readonly WrittenField[], most: number, limit: number): Promise<WrittenPage | null> | null {
    const { plan, backwards } = planned
    this.#isUsual ??= isUsual(this.#types)
    const apart = limit > most || backwards ? lineEnd : comma
    const writing = this.#isUsual ? writings.of(plan, fields, apart) : null
    if (writing === null) return null
    const page = unlessFailed(async () => {
      const [row = []] = (await this.#query({ ...planned, plan: writing })).rows
      return writtenPage(row, planned, fields, most, apart)
    })
    return page.then((page) => {
      if (page === null) writings.giveUp(plan, fields)
      return page
    })
  }

  async row(planned: Planned): Promise<Row | null> {
    const [row] = (await this.#query(planned)).rows
    return row === undefined ? null : decode(planned.plan, row)
  }

  async run(planned: Planned): Promise<number> {
    return (await this.#query(planned)).rowCount ?? 0
  }

  /** @param table the table whose columns a refusal may name */
  async exec(sql: string, table: Mapped | null = null): Promise<void> {
    await this.#inTurn(sql, () => this.client.query(sql), table)
  }

  /** Runs a query that is not worth preparing. */
  async ask(text: string, values: readonly unknown[]): Promise<readonly unknown[][]> {
    const { rows } = await this.#inTurn(text, () => this.client.query({ text, values, rowMode: 'array', types: this.#types }), null)
    return rows
  }

  #query(planned: Planned) {
    const { plan } = planned
    const query = { text: plan.text, values: boundValues(planned), rowMode: 'array', types: this.#types } as const
    const name = this.#nameOf(plan)
    return this.#inTurn(plan.text, () => this.client.query(name === null ? query : { ...query, name }), plan.table, plan)
  }

  // The server keeps prepared statements as long as the connection lives, so their number is capped.
  #nameOf(plan: Plan): string | null {
    if (!plan.cached || !this.terms.prepared) return null
    const name = statementName(plan)
    if (this.#prepared.has(name)) return name
    if (this.#prepared.size >= mostPrepared) return null
    this.#prepared.add(name)
    return name
  }

  // Statements that are asked for in the same tick are sent in one packet.
  #together<T>(ask: () => T): T {
    const stream = this.client.connection?.stream
    if (!this.#corked && stream?.cork && stream.uncork) {
      this.#corked = true
      stream.cork()
      queueMicrotask(() => {
        this.#corked = false
        stream.uncork?.()
      })
    }
    return ask()
  }

  // Without pipelining, a client queues a second query by itself. That is deprecated in node-postgres and will be refused, so wait here.
  async #inTurn<T>(text: string, ask: () => Promise<T>, table: Mapped | null, plan?: Plan): Promise<T> {
    const done = this.watch?.(text)
    const answer = this.client.pipeline === true ? this.#together(ask) : this.#last.then(ask)
    this.#last = answer.catch(() => {})
    try {
      return await this.pulse.watch(answer)
    } catch (error) {
      this.terms.hear(error)
      // A DaymarkError comes from the pulse: the server is silent.
      if (isSpent(error) || error instanceof DaymarkError) this.spent = true
      throw failure(error, table, plan)
    } finally {
      done?.()
    }
  }
}

/** What the database cannot do, or not with these values: the rows are read in place of it. */
const unable = /^(?:0A|22|42)/

async function unlessFailed<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (thrown) {
    const { code } = ((thrown as Error).cause ?? {}) as { code?: unknown }
    // Once its columns are known, the statement is another one.
    if (unmatched(thrown).length === 0 && typeof code === 'string' && unable.test(code)) return null
    throw thrown
  }
}

const mostPrepared = 1000
const names = new WeakMap<Plan, string>()

function statementName(plan: Plan): string {
  let name = names.get(plan)
  if (name === undefined) {
    name = `daymark_${createHash('sha256').update(plan.text).digest('base64url').slice(0, 16)}`
    names.set(plan, name)
  }
  return name
}
