import type { RequestHead } from '../auth/pipeline.js'
import type { NetworkSettings } from './network.js'

/** Where a request stands in a distributed trace, as a proxy says (W3C Trace Context). */
export interface Trace {
  /** The id of the trace: 32 hexadecimal digits. */
  readonly traceId: string
  /** The id of the span that caused the request: 16 hexadecimal digits. */
  readonly parentId: string
  /** Whether the caller records the trace. */
  readonly sampled: boolean
}

// Later versions may append more. Ids of zeros alone, and the version ff, are invalid.
const shape = /^(?:00|(?!00|ff)[\da-f]{2}(?=-.{52}(?:-|$)))-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})/
const length = 55

/** The trace that a request belongs to; null: none, or nobody whom we trust says so. */
export function traceOf({ headers }: Pick<RequestHead, 'headers'>, { proxies }: Pick<NetworkSettings, 'proxies'>): Trace | null {
  if (proxies === 0) return null
  const said = headers.get('traceparent') ?? ''
  const [, traceId, parentId, flags = '0'] = shape.exec(said) ?? []
  if (traceId === undefined || parentId === undefined || (said.startsWith('00') && said.length !== length)) return null
  return Object.freeze({ traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}
