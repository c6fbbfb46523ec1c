import { parseStoredJson } from '../../../field/stored-json.js'

/** The part of node-postgres that is used: its types are no part of ours. */
export interface Client {
  query(query: string | Query): Promise<Result>
  /** Whether it sends what it is asked without waiting for the answers that it waits for (pg 8.23 and later). */
  readonly pipeline?: boolean
  /** Where it writes to: what is written while it is corked leaves in one piece. */
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
  /** How many wait for a connection. */
  readonly waitingCount: number
  /** How it makes its connections. */
  readonly Client?: new (
    options: object,
  ) => Client & { connect(): Promise<unknown>; end(): Promise<void> }
  readonly options?: object
}

export interface PooledClient extends Client {
  /** Gives it back; `destroy`: closes it instead. */
  release(destroy?: boolean): void
}

interface Query {
  readonly text: string
  /** Under which the server keeps the statement, prepared. */
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

// date, timestamp, timestamptz, interval, and arrays of them: Drizzle reads their text.
const asText = new Set([1082, 1114, 1184, 1186, 1182, 1115, 1185, 1187, 1231])
const json = new Set([114, 3802])

/** How values come out of a client: as Drizzle expects them, and JSON whatever the application has set for it. */
export function typesOf(client: Client): Query['types'] {
  return {
    getTypeParser(oid, format) {
      if (asText.has(oid)) return (text) => text
      return json.has(oid) ? parseStoredJson : client.getTypeParser(oid, format)
    },
  }
}
