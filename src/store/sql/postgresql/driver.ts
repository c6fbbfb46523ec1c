import { parseStoredJson } from '../../../field/stored-json.js'

/** The part of node-postgres that we use, so that its types are no part of ours. */
export interface Client {
  query(query: string | Query): Promise<Result>
  /** Whether it sends queries without waiting for earlier answers (pg 8.23 and later). */
  readonly pipeline?: boolean
  /** The socket: what is written while it is corked leaves in one packet. */
  readonly connection?: { readonly stream?: { cork?(): void; uncork?(): void; destroy(): void } }
  getTypeParser(oid: number, format: string): Parser
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

export interface Pool {
  connect(): Promise<PooledClient>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'connect', listener: (client: Client) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'connect', listener: (client: Client) => void): unknown
  readonly totalCount: number
  readonly idleCount: number
  /** How many callers wait for a connection. */
  readonly waitingCount: number
  /** The class of its connections. */
  readonly Client?: new (
    options: object,
  ) => Client & { connect(): Promise<unknown>; end(): Promise<void> }
  readonly options?: object
}

export interface PooledClient extends Client {
  /** Returns it to the pool; `destroy`: closes it instead. */
  release(destroy?: boolean): void
}

interface Query {
  readonly text: string
  /** The name under which the server keeps the prepared statement. */
  readonly name?: string
  readonly values: readonly unknown[]
  readonly rowMode: 'array'
  readonly types: { getTypeParser(oid: number, format: string): Parser }
}

interface Result {
  readonly rows: unknown[][]
  readonly rowCount: number | null
}

type Parser = (text: string) => unknown

// date, timestamp, timestamptz, interval, and arrays of them: Drizzle parses their text itself.
const asText = new Set([1082, 1114, 1184, 1186, 1182, 1115, 1185, 1187, 1231])
const json = new Set([114, 3802])

/** Type parsers as Drizzle expects them. JSON is parsed our way, whatever parser the application has set. */
export function typesOf(client: Client): Query['types'] {
  return {
    getTypeParser(oid, format) {
      if (asText.has(oid)) return (text) => text
      return json.has(oid) ? parseStoredJson : client.getTypeParser(oid, format)
    },
  }
}

// A text of each type that a database can write as JSON, and what node-postgres makes of it.
const usual: readonly (readonly [oid: number, text: string, value: unknown])[] = [
  [16, 't', true],
  [20, '7', '7'],
  [21, '7', 7],
  [23, '7', 7],
  [25, ' a ', ' a '],
  [700, '1.5', 1.5],
  [701, '1.5', 1.5],
  [1042, 'a ', 'a '],
  [1043, ' a ', ' a '],
  [2950, 'a', 'a'],
]

/** Whether values are read as node-postgres reads them. An application may have set parsers of its own. */
export function isUsual(types: Query['types']): boolean {
  return usual.every(([oid, text, value]) => types.getTypeParser(oid, 'text')(text) === value)
}
