import type { MessageKey, Translate } from '../../base/messages.js'
import type { Query } from '../call/input.js'

/** Reads the parameters of a query one by one, and keeps what is wrong with them. */
export class QueryReader {
  /** What is wrong, by parameter. */
  readonly problems = new Map<string, string[]>()

  constructor(
    readonly query: Query,
    readonly t: Translate,
  ) {}

  /** Notes that something is wrong with a parameter, once. */
  report(name: string, text: string): void {
    this.problems.set(name, [...new Set([...(this.problems.get(name) ?? []), text])])
  }

  /** The value of a parameter that has one; blank: it is not given. */
  text(name: string): string {
    const values = this.query.get(name) ?? []
    if (values.length > 1) this.report(name, this.t('query.repeated', { name }))
    return values.length === 1 ? (values[0] as string) : ''
  }

  /** A whole number from 1 on, and up to `most`, if there is one. */
  integer(name: string, most: number | null, otherwise: number): number {
    const text = this.text(name)
    if (text === '') return otherwise
    if (!/^[1-9]\d{0,14}$/.test(text)) this.report(name, this.t('query.notWhole', { name, min: 1 }))
    else if (most !== null && Number(text) > most) this.report(name, this.t('query.tooMany', { name, max: most }))
    else return Number(text)
    return otherwise
  }

  /** Names, separated by commas: those that are valid, each once. */
  names(name: string, valid: readonly string[], message: MessageKey): readonly string[] {
    const names = [...new Set(this.text(name).split(',').filter(Boolean))]
    for (const wrong of names)
      if (!valid.includes(wrong))
        this.report(name, this.t(message as 'query.unknownField', { name: wrong, names: valid.join(', ') || '–' }))
    return names.filter((each) => valid.includes(each))
  }
}
