import { type SQL, sql } from 'drizzle-orm'
import { invalid } from '../../base/errors.js'
import type { Json } from '../../field/field.js'
import { keyFromWire } from '../../field/key.js'
import { keysFromTexts } from '../../field/linked.js'
import type { Column, Link, Model } from '../../resource/model/model.js'
import type { Codec, Dialect, Mapped } from './dialect.js'
import { inside } from './inside.js'

/** What a link table's codec needs of the planner. */
interface Tables {
  readonly dialect: Dialect
  table(model: Model): Mapped
}

/**
 * How a list of linked records is read and asked for. It is selected by a query of its own for each row, inside the row's statement: so
 * both are of one moment, and a page still takes one statement.
 *
 * @param key the codec of the key of the table that has the list
 */
export function linkCodec(planner: Tables, column: Column, link: Link, key: Codec, id: number): Codec {
  const { dialect } = planner
  const links = planner.table(link.model)
  const { alias, table } = inside(key, links, dialect)
  const source = table.column(link.source.key)
  const target = table.column(link.target.key)
  const rows = sql`from ${link.model.table} ${alias}`
  const from = sql`${rows} where ${source.equatable} = ${key.sql}`
  const refuse = () => {
    throw new TypeError(`"${column.key}" lists records, and has no order`)
  }
  return {
    id,
    column,
    name: column.name,
    nullable: false,
    sql: dialect.texts.of(target, sql`${from} and ${target.sql} is not null`),
    get bare(): SQL {
      return refuse()
    },
    get equatable(): SQL {
      return refuse()
    },
    get sortable(): SQL {
      return refuse()
    },
    store: refuse,
    equal: refuse,
    compare: refuse,
    place: refuse,
    decode: (value) => keysFromTexts(dialect.texts.read(value), link.target),
    linked: {
      link,
      table: links,
      target,
      stored(wire) {
        try {
          if (wire !== null) return keyFromWire(wire as Json, link.target.type)
        } catch {
          // Digits were expected.
        }
        throw invalid(column.key, 'Has what is no key')
      },
      with: (met) => sql`${key.sql} in (select ${source.sql} ${rows} where ${met})`,
      any: sql`exists (select 1 ${from} and ${target.sql} is not null)`,
    },
    tally: null,
  }
}
