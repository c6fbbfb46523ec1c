import { DaymarkError, invalid } from '../base/errors.js'
import { shown } from '../base/shown.js'
import type { ActionContext, Answer, HandlerContext } from '../resource/action.js'
import type { BoundAction } from '../resource/bind-action.js'
import type { Reads } from '../store/store.js'
import { may } from './allow.js'
import { answerOf } from './answer.js'
import type { Call, PageCall, Realm } from './call.js'
import { commit } from './commit.js'
import { stillUsed } from './conflict.js'
import { currentPage } from './current-page.js'
import { DeniedError } from './denied.js'
import { checkFate, type Fate, newFate } from './fate.js'
import { joined } from './joined.js'
import { lensOf, rowObject } from './lens.js'
import { scalar } from './scalar.js'
import { type Selection, selected } from './selection.js'

/** How far a long action has come. */
export interface Far {
  readonly done: number
  readonly total: number
}

/** Which records an action is for, asked where they are read. */
export type Select = (reads: Reads) => Promise<Selection>

type AnyContext = HandlerContext<Record<string, unknown>, Record<string, unknown>, unknown>

/**
 * Runs an action over its records, in one transaction unless it is declared otherwise. What it throws, and any write of it that was refused, takes all of it back.
 * Each of the records must be there and allowed, or nothing happens at all.
 */
export async function act(call: Call, action: BoundAction, select: Select, input: unknown, far: Far | null = null): Promise<Answer> {
  if (action.safe || !action.transaction) return run(call, action, await select(call.store), input, far)
  return commit(call, async ({ raw }) => run(joined(call, raw), action, await select(raw), input, far), false)
}

async function run(call: Call, action: BoundAction, selection: Selection, input: unknown, far: Far | null): Promise<Answer> {
  const { identity, resource, store } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const fate = newFate()
  const ids: string[] = []
  for await (const rows of selected(call, store, selection, action.ability)) for (const row of rows) ids.push(lens.key(row))
  async function* records() {
    for await (const rows of selected(call, store, selection, action.ability)) yield rows.map((row) => rowObject(lens.columns, row))
  }
  return asked(action, fate, {
    ...contextOf(call, input, fate, action),
    ids,
    selected: records,
    done: far?.done ?? 0,
    total: far?.total ?? ids.length,
    ...call.realm.scoped.own(call, fate, action.safe),
  })
}

/** Runs a method of a page, which has no records of its own: in one transaction of the panel's database, unless it is declared otherwise. */
export async function actOnPage(call: PageCall, action: BoundAction, input: unknown): Promise<Answer> {
  const own = { ...call, store: call.realm.store }
  const work = (within: typeof own) => {
    const fate = newFate()
    return asked(action, fate, contextOf(within, input, fate, action) as AnyContext)
  }
  if (action.safe || !action.transaction) return work(own)
  try {
    return await own.store.transaction((tx) => work(joined(own, tx)), { until: call.until })
  } catch (thrown) {
    throw await stillUsed(thrown, call.realm)
  }
}

async function asked(action: BoundAction, fate: Fate, context: AnyContext): Promise<Answer> {
  const answer = answerOf(action, await action.run(context))
  checkFate(fate)
  return answer
}

type Within = Omit<Call, 'resource' | 'preset'>

function contextOf(call: Within, input: unknown, fate: Fate, { safe }: BoundAction): ActionContext<unknown> {
  return { ...currentPage(call), user: call.identity, input, of: call.realm.scoped.of(call, fate, safe) }
}

/**
 * The name of the action that is meant: in the path, in the query, or in both.
 *
 * @throws DaymarkError `invalid` where several are named: none of them was meant for certain
 */
export function meantName({ realm, input }: Pick<Call, 'realm' | 'input'>, parameter: 'handlerUri' | 'method'): string {
  const names = new Set([input.params?.get(parameter) || [], input.query.get(parameter) ?? []].flat())
  const [name = ''] = names
  if (names.size > 1) throw invalid(parameter, realm.t('action.several', { names: [...names].map(shown).join(', ') }))
  scalar(input.query, parameter, realm.t)
  return name
}

/**
 * The action of a name that this caller may run.
 *
 * @throws DaymarkError `notFound` with the names of those that the caller may run, `methodNotAllowed`, `forbidden`
 */
export function actionOf(
  { realm, identity, resource, input }: Pick<Call, 'realm' | 'identity' | 'resource' | 'input'>,
  all: ReadonlyMap<string, BoundAction>,
  name: string,
): BoundAction {
  return namedAction({ realm, input }, all, name, ({ ability }) => may(realm, identity, resource, ability))
}

/** The same, where it is said otherwise who may. */
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

/** The names go to those who may run what they name, and to nobody else. */
function noAction({ t }: Realm, names: readonly string[]): DaymarkError {
  return new DaymarkError('notFound', names.length > 0 ? t('action.unknown', { names: names.join(', ') }) : t('page.none'))
}

function checkMethod({ t }: Realm, action: BoundAction, method: string): void {
  if (action.method === method) return
  const allow = action.method === 'GET' ? 'GET, HEAD, OPTIONS' : `${action.method}, OPTIONS`
  throw new DaymarkError('methodNotAllowed', t('request.method', { method, methods: allow }), { headers: { allow } })
}
