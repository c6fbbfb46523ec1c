import { DaymarkError } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'
import type { Store } from '../../store/store.js'

/** Whether the panel can serve: none of its databases is away, and nobody has told it to stop. */
export interface Readiness {
  /** @throws DaymarkError `unavailable`, with the reason as its cause */
  check(t: Translate): Promise<void>
  /** From now on the panel is not ready. The function that it returns takes that back. */
  stop(): () => void
}

// How long a database may take, in milliseconds: probes of orchestrators wait a second or a few.
const patience = 2000
// Anybody may probe, as often as they like: what was found is told again for a second.
const fresh = 1000

/** What was found, and until when it holds, in milliseconds of `performance.now()`. */
interface Found {
  readonly reason: Promise<unknown>
  until: number
}

/** @param stores asked at once, and once for all who probe meanwhile */
export function makeReadiness(stores: Iterable<Store>): Readiness {
  let found: Found | null = null
  const stops = new Set<object>()
  const find = (): Found => {
    const one: Found = { reason: reasonAgainst([...stores]), until: Number.POSITIVE_INFINITY }
    one.reason.then(() => (one.until = performance.now() + fresh))
    return one
  }
  return Object.freeze({
    async check(t: Translate) {
      if (stops.size > 0) throw new DaymarkError('unavailable', t('request.stopping'))
      if (found === null || performance.now() >= found.until) found = find()
      const cause = await found.reason
      if (cause !== null) throw new DaymarkError('unavailable', t('request.notReady'), { cause })
    },
    stop() {
      const one = {}
      stops.add(one)
      return () => void stops.delete(one)
    },
  })
}

/** Why one of the stores cannot be used; null: all answer in time. */
async function reasonAgainst(stores: readonly Store[]): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<unknown>((resolve) => {
    timer = setTimeout(() => resolve(new Error(`A database has not answered a probe within ${patience} ms`)), patience)
  })
  try {
    const all = Promise.all(stores.map(async (store) => store.ping?.()))
    return await Promise.race([all.then(() => null, whyNot), late])
  } finally {
    clearTimeout(timer)
  }
}

const whyNot = (thrown: unknown) => (thrown instanceof DaymarkError && thrown.cause) || (thrown ?? new Error('A store has rejected'))
