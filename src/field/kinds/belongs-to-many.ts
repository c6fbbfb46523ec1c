import * as z from 'zod'
import { block, type Html, html } from '../../base/html.js'
import { a } from '../../base/setting.js'
import { mostFault } from '../bounds.js'
import type { Builder } from '../builder.js'
import { cutList } from '../cut-list.js'
import type { ViewContext } from '../field.js'
import { keySchema, type TableRef } from '../key.js'
import { defineKind } from '../kind.js'
import { inOrder, type Keys, keysFromText, textOfKeys } from '../linked.js'
import { relatedShown } from '../related-shown.js'
import { taking } from '../taking.js'

/** A column of a Drizzle table, as far as its type matters here. */
export interface ColumnRef {
  readonly _: { readonly data: unknown }
}

/** Keys in JSON: numbers for integer columns, else texts. */
type KeysOf<C extends ColumnRef> = readonly (C['_']['data'] extends number ? number : string)[]

type Own = {
  /** The related table. Default: the one that the foreign key of the link table's column references. */
  to(table: TableRef): { table: TableRef }
  /** The column of the link table that refers to this record. Default: the only other one whose foreign key references its table. */
  from(column: ColumnRef): { from: ColumnRef }
  /** The name of the relation in `include` and in records. Default: none, so that it cannot be included. */
  as(name: string): { as: string }
  /** The `uriKey` of the related resource, if several manage the table. Default: the only one that does. */
  resource(uriKey: string): { resource: string }
  /** `false`: forms don't offer to create a related record. Default: they do to users who may create and list them. */
  createInForm(on: boolean): { createInForm: boolean }
  /** Only records that meet this condition of the related table can be chosen, as with `belongsTo`. Default: all that the user may see. */
  where(condition: object): { where: object }
  /** Only records can be chosen whose column equals a field of this record, as with `belongsTo`. Default: they need not. */
  matching(columns: Readonly<Record<string, string>>): { matching: object }
  /** The most records. Default: 1000. */
  max(most: number): { max: number }
}

const usualMost = 1000
/** How many records are named at once in a column, and where there is room for words. */
const namedAtOnce = { inColumn: 5, inWords: 20 }

const relation = defineKind<Keys, Own & { through(column: ColumnRef): { through: ColumnRef } }, never>({
  name: 'belongsToMany',
  columns: ['json'],
  operators: [],
  operatorsOfMany: ['contains', 'null'],
  relation: true,
  many: () => true,
  own: {
    to: (table) => ({ table }),
    from: (from) => ({ from }),
    as: taking((as) => ({ as }), a.text),
    resource: taking((resource) => ({ resource }), a.text),
    createInForm: taking((createInForm) => ({ createInForm }), a.switch),
    where: taking((where) => ({ where }), a.object),
    matching: taking((matching) => ({ matching: Object.freeze({ ...matching }) }), a.byName(a.text)),
    max: taking((max) => ({ max }), a.number),
    through: (through) => ({ through }),
  },
  fault: ({ sortable, own }) => {
    if (sortable) return 'a list of records has no order to sort by: leave out .sortable()'
    return mostFault('max', own.max)
  },
  schema: ({ column, own, required }) => {
    const keys = z.array(column.element ? keySchema(column.element) : z.union([z.int(), z.string()])).max(own.max ?? usualMost)
    return required ? keys.min(1) : keys
  },
  read: (typed, { column }) => (column.element ? keysFromText(typed, column.element) : typed),
  value: (wire) => inOrder(wire as Keys),
  text: textOfKeys,
  words: (keys) => keys.join(', '),
  cell: (keys, _field, ctx) => {
    if (keys.length === 0) return html`<span class="none">&mdash;</span>`
    return cutList(named(keys, ctx), namedAtOnce, ctx, (some, sign) => html`${listed(some, ctx)}${sign && html` ${sign}`}`)
  },
  // Each record is a box that can be unticked, with JavaScript or without. The hidden value says that none is left.
  input: (typed, { column }, ctx) => {
    const keys = column.element ? keysFromText(typed, column.element) : []
    return block`
      <span class="chosen" id="${ctx.id}">
        <input type="hidden" name="${ctx.name}" value="">
        ${named(Array.isArray(keys) ? keys : [], ctx).map(
          ({ key, label }, i) =>
            block`
              <label>
                <input
                  type="checkbox"
                  name="${ctx.name}"
                  value="${key}"
                  checked
                  ${i === 0 && ctx.error.length > 0 && html` aria-invalid="true"`}
                > <span>${label}</span>
              </label>
            `,
        )}
      </span>
    `
  },
})

/** Links to records. Each has its own direction: commas between Arabic names would else turn their order. */
function listed(records: ViewContext['chosen'], ctx: ViewContext): Html {
  const all = records.map((one) => html`<bdi>${relatedShown(one, ctx)}</bdi>`)
  return html`<span>${all.map((one, i) => html`${i > 0 && ', '}${one}`)}</span>`
}

/** Each key with its label. Whoever may see the list, but not one of its records, sees its key. */
function named(keys: Keys, { chosen }: ViewContext): ViewContext['chosen'] {
  const known = new Set(chosen.map(({ key }) => key))
  const others = keys.map(String).filter((key) => !known.has(key))
  return [...chosen, ...others.map((key) => ({ key, label: key, href: null }))]
}

/**
 * A relation to any number of records of another table, or of the same, by way of a link table that has a row for each pair. Start-up finds
 * the resource that manages the other table. Its name is no column: records, hooks and conditions have it beside their columns.
 *
 * In JSON it is the list of the related keys, each once: numbers for integer columns, else texts. A write makes the link table's rows those
 * of the list, in its transaction; rows that stay are not touched. A delete of the record deletes its rows, unless the foreign key says
 * `cascade` or `restrict`.
 *
 * @param label what users read; undefined: the name as words, without `Ids`
 * @param column the column of the link table that refers to the related records
 *
 * @example
 * ```ts
 * import { belongsToMany, defineResource, text } from 'daymark'
 * import { integer, primaryKey, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
 *
 * const books = sqliteTable('books', { id: integer().primaryKey(), title: varchar().notNull() })
 * const authors = sqliteTable('authors', { id: integer().primaryKey(), name: varchar().notNull() })
 * const bookAuthors = sqliteTable(
 *   'book_authors',
 *   { bookId: integer().notNull().references(() => books.id), authorId: integer().notNull().references(() => authors.id) },
 *   (link) => [primaryKey({ columns: [link.bookId, link.authorId] })],
 * )
 *
 * export const Authors = defineResource({ model: authors })
 * export const Books = defineResource({
 *   model: books,
 *   fields: { title: text('Title').required(), authorIds: belongsToMany('Authors', bookAuthors.authorId).as('authors') },
 * })
 * ```
 */
export function belongsToMany<C extends ColumnRef>(
  label: string | undefined,
  column: C,
): Builder<KeysOf<C>, Own, 'contains' | 'null' | 'relation' | 'linked'> {
  return relation(label).through(column) as unknown as Builder<KeysOf<C>, Own, 'contains' | 'null' | 'relation' | 'linked'>
}
