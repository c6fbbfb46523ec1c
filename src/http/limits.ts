/** How large a request may be. */
export interface Limits {
  /** Bytes of a body; beyond that, 413. Default: 1048576. */
  readonly body: number
  /** Bytes of a form with files, which is held in memory while it is read; beyond that, 413. Its texts have the limit of any body. Default: 20000000. */
  readonly files: number
  /** Levels of a JSON body, the outermost object being the first; beyond that, 422. Default: 32. */
  readonly depth: number
  /**
   * Names in a body; beyond that, 422. Default: 1100, room for a full mass delete by `ids[0]`, `ids[1]` … and what a form sends besides.
   */
  readonly fields: number
  /** Names in a query; beyond that, 422. The query of a mass delete may hold as many as a body. Default: 200. */
  readonly parameters: number
  /** Characters of a URL; beyond that, 422. Default: 16384. */
  readonly url: number
}

export const defaultLimits: Limits = Object.freeze({
  body: 1_048_576,
  files: 20_000_000,
  depth: 32,
  fields: 1100,
  parameters: 200,
  url: 16_384,
})
