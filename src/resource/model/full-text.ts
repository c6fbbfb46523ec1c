import type { Bound } from '../../field/field.js'
import type { Model } from './model.js'

/** How a full-text search finds its index. */
export interface FullTextSettings {
  /** In SQLite, the name of the FTS5 table. Default: the table's name with `_search`. */
  readonly table?: string
  /** In PostgreSQL, the text search configuration, such as `english`. Default: `simple`, which takes words as they are. */
  readonly language?: string
}

/** A full-text index with its settings resolved. */
export interface FullText {
  /** In SQLite, the name of the FTS5 table. */
  readonly table: string
  /** In PostgreSQL, the text search configuration. */
  readonly language: string
  /** The columns that it holds, in order: those that are searched for words. */
  readonly columns: readonly string[]
}

export function bindFullText(
  given: boolean | FullTextSettings | undefined,
  { name }: Model,
  fields: ReadonlyMap<string, Bound>,
): FullText | null {
  if (given === undefined || given === false) return null
  const { table = `${name}_search`, language = 'simple' } = given === true ? {} : given
  const columns = [...fields.values()].filter(({ own, kind }) => own.searchable === true && !kind.exact).map(({ key }) => key)
  return Object.freeze({ table, language, columns: Object.freeze(columns) })
}

interface Checked {
  readonly fullText: FullText | null
  readonly model: Model
}

/** What is wrong with `fullText`. */
export function checkFullText({ fullText, model }: Checked, say: (id: string, at: string, text: string) => void): void {
  if (fullText === null) return
  if (fullText.columns.length === 0) say('full-text-fields', 'fullText', 'no field is searched: declare some with .searchable()')
  const [reserved] = fullText.columns.filter((key) => /^(?:rank|rowid)$/i.test(model.columns.get(key)?.name ?? ''))
  if (model.dialect === 'sqlite' && reserved !== undefined)
    say(
      'full-text-fields',
      'fullText',
      `FTS5 has no column named "${model.columns.get(reserved)?.name}": leave .searchable() out of "${reserved}"`,
    )
  // The name goes into SQL statements as it is.
  if (!/^[a-z_]\w*(?:\.[a-z_]\w*)?$/.test(fullText.language))
    say('full-text-language', 'fullText.language', `"${fullText.language}" is no name of a text search configuration, such as english`)
  if (model.dialect === 'sqlite' && ![...model.columns.values()].some(({ primary, type }) => primary && type === 'integer'))
    say('full-text-key', 'fullText', 'FTS5 finds rows by an integer primary key, and the table has none')
}
