import { DaymarkError, invalid } from '../../base/errors.js'
import { shown } from '../../base/shown.js'
import { keyText } from '../../field/key.js'
import type { ActionContext, Answer, HandlerContext } from '../../resource/action/action.js'
import type { BoundAction, Words } from '../../resource/action/bind-action.js'
import type { Reads } from '../../store/store.js'
import { passwordLink } from '../account/password-link.js'
import { mayRun } from '../call/allow.js'
import type { Call, PageCall, Realm } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import { inTransaction } from '../call/in-transaction.js'
import { lensOf, rowObject } from '../call/lens.js'
import { tablesReady } from '../call/tables-ready.js'
import { visibleLens } from '../call/visible-lens.js'
import { newWriteTracker, runTracked, track, type WriteTracker } from '../call/write-tracker.js'
import { byAdministrator } from '../commit/account-events.js'
import { commit } from '../commit/commit.js'
import { explainRefusal } from '../commit/explain-refusal.js'
import { notifierOf } from '../commit/notifier.js'
import { redactErrors } from '../commit/redact-errors.js'
import { withSettled } from '../commit/settle.js'
import { currentPage } from '../input/current-page.js'
import { scalar } from '../input/scalar.js'
import { remainingRows, type SelectedRecords } from '../query/selection.js'
import { labelOf } from '../relation/label.js'
import { answerOf } from './answer.js'
import { inputNames } from './input.js'

/** The progress of a long action. */
export interface BatchProgress {
  readonly done: number
  readonly total: number
}

/**
 * Finds the records that an action is for, through the reads that the action itself uses; null: none of them is left, and about no records
 * it would be another action.
 */
export type SelectRecords = (reads: Reads) => Promise<SelectedRecords | null>

type AnyContext = HandlerContext<Record<string, unknown>, Record<string, unknown>, unknown>

/**
 * Runs an action over its records, in one transaction unless declared otherwise. An error, or any refused write, rolls it back. If any of
 * the records is missing or forbidden, nothing happens at all.
 */
export async function runAction(
  call: Call,
  action: BoundAction,
  select: SelectRecords,
  input: unknown,
  progress: BatchProgress | null = null,
): Promise<Answer> {
  const runOver = (within: Call, selected: SelectedRecords | null) => (selected ? run(within, action, selected, input, progress) : {})
  if (action.safe || !action.transaction) return runOver(call, await select(call.store))
  return commit(call, async ({ raw }) => runOver(inTransaction(call, raw), await select(raw)), false)
}

async function run(
  call: Call,
  action: BoundAction,
  selected: SelectedRecords,
  input: unknown,
  progress: BatchProgress | null,
): Promise<Answer> {
  const { identity, resource, store } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const { columns } = lens
  const tracker = newWriteTracker()
  const ids = selected.keys.map(keyText)
  const reads: Pick<Reads, 'findMany'> = { findMany: (...asked) => track(tracker, null, () => store.findMany(...asked)) }
  async function* records() {
    // Not by the action's own policy: it may have moved a record on itself, to where that would refuse it.
    for await (const rows of remainingRows(call, reads, selected, action.ability)) yield rows.map((row) => rowObject(columns, row))
  }
  const context = {
    ...contextOf(call, input, tracker, action),
    ids,
    selected: records,
    done: progress?.done ?? 0,
    total: progress?.total ?? ids.length,
    ...call.realm.scoped.own(call, tracker, action.safe),
  }
  const titleOf = (record: Readonly<Record<string, unknown>>) => {
    const row = columns.map((name) => record[name])
    return labelOf(visibleLens(call, lens, row), row)
  }
  return answerOfRun(action, tracker, context, { ...wordsOf(call), titleOf }).catch((thrown) => {
    throw redactErrors(thrown, call, inputNames(action))
  })
}

/** Runs a method of a page, which has no records of its own, in one transaction of the panel's database unless declared otherwise. */
export async function runPageMethod(call: PageCall, action: BoundAction, input: unknown): Promise<Answer> {
  const own = { ...call, store: call.realm.store }
  const work = (within: typeof own) => {
    const tracker = newWriteTracker()
    // A page has no records to be named.
    return answerOfRun(action, tracker, contextOf(within, input, tracker, action) as AnyContext, { ...wordsOf(call), titleOf: () => '' })
  }
  if (action.safe || !action.transaction) return work(own)
  await tablesReady(own)
  try {
    return await own.store.transaction((tx) => withSettled(own, tx, () => work(inTransaction(own, tx))), { until: call.until })
  } catch (thrown) {
    throw await explainRefusal(thrown, call.realm)
  }
}

async function answerOfRun(action: BoundAction, tracker: WriteTracker, context: AnyContext, words: Words): Promise<Answer> {
  return answerOf(action, await runTracked(tracker, () => action.run(context, words)))
}

const wordsOf = (call: Pick<Call, 'realm' | 'identity' | 'client'>): Omit<Words, 'titleOf'> => ({
  t: call.realm.t,
  locale: call.realm.locale,
  passwordLink: (userId) => passwordLink(call.realm, userId, byAdministrator(call)),
  async removePasskeys(user) {
    const { passkeys, sessions } = call.realm.auth.services
    await passkeys.removeOf(user.id, { ...byAdministrator(call), event: 'passkeyRemoved', user })
    await sessions.removeOf(user.id, null)
  },
})

type Within = Omit<Call, 'resource' | 'preset'>

function contextOf(call: Within, input: unknown, tracker: WriteTracker, { safe }: BoundAction): ActionContext<unknown> {
  const { realm, identity } = call
  return { ...currentPage(call), user: identity, input, of: realm.scoped.of(call, tracker, safe), notify: notifierOf(realm, tracker, safe) }
}

/**
 * The name of the requested action: from the path, the query, or both.
 *
 * @throws DaymarkError `invalid` if they name several: it is unclear which one was meant
 */
export function requestedName({ realm, input }: Pick<Call, 'realm' | 'input'>, parameter: 'handlerUri' | 'method'): string {
  const names = new Set([input.params?.get(parameter) || [], input.query.get(parameter) ?? []].flat())
  const [name = ''] = names
  if (names.size > 1) throw invalid(parameter, realm.t('action.several', { names: [...names].map(shown).join(', ') }))
  scalar(input.query, parameter, realm.t)
  return name
}

/**
 * The action with this name, if the caller may run it.
 *
 * @throws DaymarkError `notFound` with the names of those that the caller may run, `methodNotAllowed`, `forbidden`
 */
export function allowedAction(
  { realm, identity, resource, input }: Pick<Call, 'realm' | 'identity' | 'resource' | 'input'>,
  all: ReadonlyMap<string, BoundAction>,
  name: string,
): BoundAction {
  return namedAction({ realm, input }, all, name, (action) => mayRun(realm, identity, resource, action))
}

/** Like `allowedAction`, with another check of who may run it. */
export function namedAction(
  { realm, input }: Pick<Call, 'realm' | 'input'>,
  all: ReadonlyMap<string, BoundAction>,
  name: string,
  allowed: (action: BoundAction) => boolean,
): BoundAction {
  const action = all.get(name)
  if (!action) {
    const names = [...all.values()].filter(allowed).map((one) => one.uri)
    throw noAction(realm, names)
  }
  if (!allowed(action)) throw new DeniedError(realm)
  checkMethod(realm, action, input.method)
  return action
}

/** Lists only the names of actions that the caller may run. */
function noAction({ t }: Realm, names: readonly string[]): DaymarkError {
  return new DaymarkError('notFound', names.length > 0 ? t('action.unknown', { names: names.join(', ') }) : t('page.none'))
}

function checkMethod({ t }: Realm, action: BoundAction, method: string): void {
  if (action.method === method) return
  const allow = action.method === 'GET' ? 'GET, HEAD, OPTIONS' : `${action.method}, OPTIONS`
  throw new DaymarkError('methodNotAllowed', t('request.method', { method, methods: allow }), { headers: { allow } })
}
