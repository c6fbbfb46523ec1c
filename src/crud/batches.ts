import { isDeepStrictEqual } from 'node:util'
import type { Account, Identity } from '../auth/identity.js'
import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Json } from '../field/field.js'
import type { Answer } from '../resource/action.js'
import type { BoundAction } from '../resource/bind-action.js'
import { both } from '../resource/condition.js'
import type { Job } from '../store/panel/jobs.js'
import { act } from './act.js'
import { allow, scopeOf } from './allow.js'
import { htmlText } from './answer.js'
import type { Call } from './call.js'
import type { Step } from './jobs.js'
import { keptFile } from './kept-file.js'
import { lensOf } from './lens.js'
import { chunk, rowsAfter, type Selection } from './selection.js'

// Nobody waits for a job's answer, so its writes may wait longer for their turn.
const patience = 60_000

/**
 * Starts a long handler over its records. Each batch is a transaction of its own, run with the current rights of the user who started it.
 */
export async function startBatches(call: Call, action: BoundAction, selection: Selection, input: unknown): Promise<Job> {
  const isOurs = isOf(await accountOf(call), call.identity)
  const total = selection.is === 'all' ? selection.total : Math.max(1, selection.keys.length)
  const next = nextBatch(call, selection)
  return call.realm.jobs.start(
    { userId: call.identity.id, resourceUri: call.resource.uriKey, handlerUri: action.uri, label: action.label, total },
    async (done): Promise<Step> => {
      const identity = isOurs ? await asOfNow(call, action) : call.identity
      const batch = await next(identity)
      if (!batch) return { done: 0, more: false, said: null }
      const within = { ...call, identity, until: performance.now() + patience }
      const said = await act(within, action, async () => batch.selection, input, { done, total })
      return { done: batch.count, more: batch.more, said: await spoken(said, call.realm.t) }
    },
  )
}

/** Null: not one of the panel's own users. */
function accountOf({ identity, realm }: Call): Promise<Account | null> {
  return realm.auth.services.users.byId(identity.id)
}

/** An application's own auth pipeline may use the same ids as the panel's users: one of its users must never act as one of ours. */
function isOf(account: Account | null, { username, roles }: Identity): boolean {
  return account !== null && account.identity.username === username && isDeepStrictEqual(account.identity.roles, roles)
}

/** @throws DaymarkError `forbidden` for a user who may no longer sign in, or no longer do this */
async function asOfNow(call: Call, action: BoundAction): Promise<Identity> {
  const account = await accountOf(call)
  if (!account?.active) throw new DaymarkError('forbidden', call.realm.t('job.goneUser', { name: (account ?? call).identity.name }))
  const { identity } = account
  allow(call.realm, identity, call.resource, action.ability)
  return identity
}

interface Batch {
  readonly selection: Selection
  readonly count: number
  readonly more: boolean
}

/** Of `all`, a batch has the records that the user who started the job can see when it runs. */
function nextBatch(call: Call, selection: Selection): (identity: Identity) => Promise<Batch | null> {
  if (selection.is === 'ids') {
    let from = 0
    return async () => {
      const keys = selection.keys.slice(from, from + chunk)
      from += chunk
      return { selection: { is: 'ids', keys }, count: Math.max(1, keys.length), more: from < selection.keys.length }
    }
  }
  const { resource, store } = call
  const lens = lensOf(call.identity, resource, { name: 'record', whole: true })
  const column = resource.model.key.key
  let after: unknown = null
  return async (identity) => {
    const rows = await rowsAfter(lens, store, selection.where, after, chunk)
    if (rows.length === 0) return null
    const values = rows.map((row) => row[lens.at.get(column) as number])
    after = values.at(-1)
    // The condition is checked again: a record that has left the list meanwhile is skipped.
    return {
      selection: { ...selection, where: both(scopeOf(identity, resource, selection.where), { op: 'in', column, values }) },
      count: rows.length,
      more: rows.length === chunk,
    }
  }
}

/** A handler's answer in the form that is stored with the job. */
async function spoken(
  { message, messageType, redirect, events, html: markup, fieldsValues, download }: Answer,
  t: Translate,
): Promise<Job['said']> {
  const said: Record<string, Json> = {}
  for (const [name, value] of Object.entries({ message, messageType, redirect, events, fieldsValues }))
    if (value !== undefined) said[name] = value
  if (markup !== undefined) said.html = htmlText(markup)
  if (download !== undefined) said.download = await keptFile(download, t)
  return Object.keys(said).length === 0 ? null : said
}
