/** Called before each statement, with its text; the function that it returns, after it. */
export type Watch = (sql: string) => () => void

/** What was asked of the databases for one purpose. */
export class Statements {
  count = 0
  /** For how many milliseconds at least one of them was under way. */
  waited = 0
  slowest: { readonly sql: string; readonly duration: number } | null = null
  #underWay = 0
  #since = 0

  begin(sql: string): () => void {
    const start = performance.now()
    this.count++
    if (this.#underWay++ === 0) this.#since = start
    return () => {
      const end = performance.now()
      if (--this.#underWay === 0) this.waited += end - this.#since
      const duration = end - start
      if (duration > (this.slowest?.duration ?? -1)) this.slowest = { sql, duration }
    }
  }
}

const nothing = () => {}

/**
 * One Watch of two who want to know; undefined: nobody does.
 *
 * @param observe the application's own function. Whatever it returns means nothing
 */
export function watchOf(
  observe: ((sql: string) => unknown) | undefined,
  current: (() => Statements | undefined) | null,
): Watch | undefined {
  if (!observe && !current) return undefined
  return (sql) => {
    observe?.(sql)
    return current?.()?.begin(sql) ?? nothing
  }
}
