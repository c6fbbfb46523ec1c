/** What the answer will show, so that a verb reads no more than that. */
export interface Wants {
  /** The page whose fields it shows. */
  readonly view: 'index' | 'detail' | 'form'
  /** Whether callbacks on rows (`trAttributes`, `display`) run, which get every column. */
  readonly wholeRows: boolean
  /** Whether relations are shown by their labels. */
  readonly labels: boolean
  /** Whether the database may write the records of a list as JSON. */
  readonly written: boolean
  /** `true`: a wrong query parameter refuses the call; `false`: it is ignored, and the page says so. */
  readonly strict: boolean
  /** Whether the answer goes on while something happens. */
  readonly stream: boolean
  /** Whether it has the version of a single record. */
  readonly version: boolean
  /** Whether it depends on the user's preferences. */
  readonly chosen: boolean
  /** Whether rows can be moved where they are listed. */
  readonly moves: boolean
  /** Whether lists have the numbers below their columns, even if they were not asked for. */
  readonly summary: boolean
  /** Whether a list is drawn as the view that its URL names. */
  readonly views: boolean
  /** Whether it has the lists of related records. */
  readonly belonging: boolean
  /** Whether to leave out what can be loaded later. */
  readonly deferred: boolean
}
