import type { DaymarkError } from '../base/errors.js'
import type { Call, GuestCall, PanelCall } from '../crud/call/call.js'
import { inTransaction } from '../crud/call/in-transaction.js'
import { tablesReady } from '../crud/call/tables-ready.js'
import { newWriteTracker, runTracked } from '../crud/call/write-tracker.js'
import { explainRefusal } from '../crud/commit/explain-refusal.js'
import { withSettled } from '../crud/commit/settle.js'
import type { Outcome } from '../crud/outcomes/outcome.js'
import type { Verb } from '../crud/verbs.js'
import type { StoreOf } from '../resource/action/action.js'
import type { Reads, Writes } from '../store/store.js'

/** How a plugin's verb gets at records. */
export interface Records {
  /**
   * The records of a resource, as the caller may see and change them, with its hooks and history. A write is a transaction of its own; in a
   * GET, it fails.
   */
  readonly of: StoreOf
  /** Runs code in one transaction of the panel's database: it keeps all that `of` writes there, or nothing. */
  transaction<T>(work: (within: Pick<Records, 'of'>) => Promise<T>): Promise<T>
}

/** What a plugin's verb for any signed-in user gets. */
export interface PluginCall extends PanelCall, Records {}

/** What a plugin's verb on a resource gets. */
export interface PluginResourceCall extends Call, Records {}

/** What runs for a plugin's route: as the panel's own, but with a way to records. */
export type PluginVerb =
  | Exclude<Verb, { readonly on: 'panel' | 'resource' | 'guest' }>
  | (Omit<Extract<Verb, { readonly on: 'panel' }>, 'run' | 'again'> & {
      /** Does it. To refuse, throw a `DaymarkError`. */
      run(call: PluginCall): Promise<Outcome>
      /** Renders a form of the page again, after a refusal. */
      again?(call: PluginCall, error: DaymarkError): Promise<Outcome>
    })
  | (Omit<Extract<Verb, { readonly on: 'resource' }>, 'run'> & {
      /** Does it. To refuse, throw a `DaymarkError`. */
      run(call: PluginResourceCall): Promise<Outcome>
    })
  | (Omit<Extract<Verb, { readonly on: 'guest' }>, 'run'> & {
      /** Does it. To refuse, throw a `DaymarkError`. */
      run(call: GuestCall): Promise<Outcome>
    })

/** The verb as the panel runs it. */
export function withRecords(verb: PluginVerb): Verb {
  if (verb.on === 'resource') return { ...verb, run: (call: Call) => running(call, (records) => verb.run({ ...call, ...records })) }
  if (verb.on !== 'panel') return verb
  const { again } = verb
  return {
    ...verb,
    run: (call: PanelCall) => running(call, (records) => verb.run({ ...call, ...records })),
    ...(again && { again: (call: PanelCall, error: DaymarkError) => running(call, (records) => again({ ...call, ...records }, error)) }),
  }
}

function running(call: PanelCall | Call, run: (records: Records) => Promise<Outcome>): Promise<Outcome> {
  const own = { ...call, store: call.realm.store, client: 'from' in call ? () => call.from : call.client }
  const readOnly = call.input.method === 'GET'
  const tracker = newWriteTracker()
  return runTracked(tracker, () =>
    run({
      of: own.realm.scoped.of(own, tracker, readOnly),
      async transaction(work) {
        await tablesReady(own)
        const within = async (tx: Reads & Writes) => {
          const inner = newWriteTracker()
          return withSettled(own, tx, () =>
            runTracked(inner, () => work({ of: own.realm.scoped.of(inTransaction(own, tx), inner, readOnly) })),
          )
        }
        try {
          return await own.store.transaction(within, { until: call.until })
        } catch (thrown) {
          throw await explainRefusal(thrown, own.realm)
        }
      },
    }),
  )
}
