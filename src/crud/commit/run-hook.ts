import { DaymarkError } from '../../base/errors.js'
import type { HookContext } from '../../resource/action/hooks.js'
import type { Reads, Writes } from '../../store/store.js'
import { actual } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { inTransaction } from '../call/in-transaction.js'
import { newWriteTracker, runTracked } from '../call/write-tracker.js'
import { currentPage } from '../input/current-page.js'
import { baseResource } from './audit.js'
import { notifierOf } from './notifier.js'
import { redactErrors } from './redact-errors.js'

type AnyHookContext = HookContext<Record<string, unknown>, Record<string, unknown>>

// Deeper nesting is taken for an endless loop.
const deepest = 16

/**
 * Runs a hook in the transaction of the write, with the records that the caller may see and change: those of its resource, if the write is
 * one of its trash. Returns what it returned, and whether it wrote.
 *
 * @throws Error if hooks trigger each other's writes endlessly
 */
export async function runHook<T>(
  call: Call,
  tx: Reads & Writes,
  hook: (context: AnyHookContext) => T,
): Promise<{ said: Awaited<T>; wrote: boolean }> {
  const { realm, resource } = call
  const depth = (call.depth ?? 0) + 1
  if (depth > deepest) throw new Error(`Hooks write to "${resource.uriKey}" within each other, ${deepest} deep: they would go on for ever`)
  const identity = actual(call.identity)
  const within = inTransaction({ ...call, resource: baseResource(resource), identity, depth }, tx)
  const tracker = newWriteTracker()
  const context = {
    ...currentPage(call),
    user: identity,
    of: realm.scoped.of(within, tracker, false),
    notify: notifierOf(within.realm, tracker, false),
    ...realm.scoped.own(within, tracker, false),
  }
  try {
    const said = await runTracked(tracker, () => hook(context))
    return { said, wrote: tracker.wrote }
  } catch (thrown) {
    // A record that the hook did not find is not the one that the caller requested, so it must not become a 404.
    const missed = thrown instanceof DaymarkError && thrown.code === 'notFound'
    throw missed ? new DaymarkError('conflict', realm.t('record.conflict'), { cause: thrown }) : redactErrors(thrown, call)
  }
}
