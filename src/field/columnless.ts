import { humanise } from '../base/humanise.js'
import { withStoredDefault } from './default-value.js'
import type { Bound, BoundColumn, ColumnType, Field } from './field.js'

/** What a field without a column has of its own place. */
interface Columnless {
  readonly column: BoundColumn
  /** Whether it may be left empty. */
  readonly nullable: boolean
  /** What users read, if the declaration does not say it. Default: the key as words. */
  readonly label?: string
}

/** A field that has no column: one of an action's form, or of a row. */
export function bindColumnless(key: string, { kind, facts }: Field, { column, nullable, label = humanise(key) }: Columnless): Bound {
  const hasDefault = facts.default !== undefined
  return withStoredDefault({ ...facts, key, label: facts.label ?? label, kind, column, nullable, hasDefault, own: facts })
}

/** A column as wide as its type. */
export function widestColumn(type: ColumnType, element: BoundColumn | null = null): BoundColumn {
  return {
    type,
    range: null,
    maxLength: null,
    options: null,
    takes: 'any',
    element,
    asDate: type === 'dateTime',
    precision: 3,
    stored: null,
    scale: null,
  }
}
