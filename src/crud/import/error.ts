import { DaymarkError, type FieldErrors } from '../../base/errors.js'
import { numberText } from '../../base/number.js'
import type { Call } from '../call/call.js'

/** What is wrong with a row of an import. */
export interface RowFault {
  /** Where the row stands, as errors name it: `lines[3]` of a file, `records[0]` of a body. */
  readonly name: string
  /** The number of its line in the file, or of its place in the body, beginning with 1. */
  readonly line: number
  /** What is wrong, by field; that of no field is under an empty name. */
  readonly errors: FieldErrors
}

/** The most rows whose faults are told. */
const most = 100

/** The rows of an import that were refused. Nothing was written. Its errors name row and field: `lines[3].name`. */
export class ImportError extends DaymarkError {
  /** What is wrong with the first of them. */
  readonly faults: readonly RowFault[]
  /** How many there are besides. */
  readonly more: number
  constructor({ realm: { t, locale } }: Pick<Call, 'realm'>, faults: readonly RowFault[]) {
    const lines = new Map<number, RowFault>()
    for (const one of faults) lines.set(one.line, joined(lines.get(one.line), one))
    const all = [...lines.values()].sort((a, b) => a.line - b.line)
    const told = all.slice(0, most)
    const errors = told.flatMap(({ name, errors }) =>
      [...errors].map(([field, texts]) => [field === '' ? name : `${name}.${field}`, texts] as const),
    )
    super('invalid', t('import.wrong', { count: numberText(locale, all.length) }), { errors })
    this.faults = told
    this.more = all.length - told.length
  }
}

/** What is wrong with a row, besides what was found before. */
function joined(before: RowFault | undefined, fault: RowFault): RowFault {
  return before === undefined ? fault : { ...fault, errors: new Map([...before.errors, ...fault.errors]) }
}
