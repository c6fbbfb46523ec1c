/** What a request may be at most. */
export interface Limits {
  /** Bytes of a body. */
  readonly body: number
  /** Levels of a JSON body; its outermost object is the first. */
  readonly depth: number
  /** Names in a body: room for a full mass delete by `ids[0]`, `ids[1]` … and what a form sends besides. */
  readonly fields: number
  /** Names in a query; that of a mass delete may have as many as a body. */
  readonly parameters: number
  /** Characters of an address. */
  readonly url: number
}

export const defaultLimits: Limits = Object.freeze({ body: 1_048_576, depth: 32, fields: 1100, parameters: 200, url: 16_384 })
