import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../../auth/account.js'
import { holderOfKey } from '../../auth/api-key.js'
import type { Identity } from '../../auth/identity.js'
import { DaymarkError } from '../../base/errors.js'
import type { Json } from '../../field/field.js'
import type { Tone } from '../../field/tone.js'
import type { Answer } from '../../resource/action/action.js'
import { actionTitle, type BoundAction } from '../../resource/action/bind-action.js'
import type { UntoldNotice } from '../../resource/action/notice.js'
import type { Job, JobState } from '../../store/panel/jobs.js'
import type { Reads } from '../../store/store.js'
import { mayRun } from '../call/allow.js'
import type { Call, Realm } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import { ownerOf } from '../call/job-owner.js'
import { chunkSize, remainingOf, type SelectedRecords } from '../query/selection.js'
import { type BatchResult, writeTimeout } from '../realm/job-run.js'
import type { UntoldJob } from '../realm/jobs.js'
import { htmlText } from './answer.js'
import { inputFields } from './input.js'
import { jobFile } from './job-file.js'
import { jobText } from './job-text.js'
import { runAction } from './run.js'

/**
 * Starts a long handler over its records. Each batch is a transaction of its own, run with the current rights of the user who started it:
 * it has those of its records that are still there for them.
 */
export async function startBatches(call: Call, action: BoundAction, selected: SelectedRecords, input: unknown): Promise<Job> {
  const isOurs = isOf(await accountOf(call), call.identity)
  const { keys } = selected
  // Without any selected records it runs once, though not over a list that has none.
  const total = selected.all ? keys.length : Math.max(1, keys.length)
  const step = async (done: number): Promise<BatchResult> => {
    const identity = isOurs ? await asOfNow(call, action, input) : call.identity
    const within = { ...call, identity, until: performance.now() + writeTimeout }
    const batch = { ...selected, keys: keys.slice(done, done + chunkSize) }
    const select = async (reads: Reads) => {
      const left = await remainingOf(within, reads, batch, action)
      return left.keys.length === 0 && batch.keys.length > 0 ? null : left
    }
    const begun = performance.now()
    const said = await runAction(within, action, select, input, { done, total })
    return {
      rest: call.store.oneWriter ? Math.min(longestRest, (performance.now() - begun) / 4) : 0,
      done: Math.max(1, batch.keys.length),
      more: done + batch.keys.length < keys.length,
      said: await spoken(said, call.realm),
    }
  }
  const plan = {
    userId: ownerOf(call.identity),
    resourceUri: call.resource.uriKey,
    handlerUri: action.uri,
    label: actionTitle(action, call.realm.t),
    total,
  }
  return call.realm.jobs.start(plan, { step, told: (job) => noticeOf(job, call.realm) })
}

const tones: Readonly<Record<JobState, Tone>> = { running: 'info', done: 'good', failed: 'bad', cancelled: 'info', interrupted: 'bad' }

/** What whoever started a job is told of its end. */
function noticeOf(job: UntoldJob, { t, jobUrl }: Realm): UntoldNotice {
  return { text: `${job.label}: ${jobText(job, t)}`, tone: tones[job.state], link: jobUrl(job.id) }
}

// Others look at least so often whether they get in.
const longestRest = 160

/** Null: not one of the panel's own users. */
function accountOf({ identity, realm }: Call): Promise<Account | null> {
  return realm.auth.services.users.byId(identity.id)
}

/** An application's own auth pipeline may use the same ids as the panel's users: one of its users must never act as one of ours. */
function isOf(account: Account | null, identity: Identity): boolean {
  if (identity.apiKey) return true
  return account !== null && isDeepStrictEqual(rightsOf(account.identity), rightsOf(identity))
}

/** All that policies may ask, but for what others read. */
const rightsOf = ({ name: _, ...rights }: Identity) => rights

/** @throws DaymarkError `forbidden` for a user who may no longer sign in, or no longer do this */
async function asOfNow(call: Call, action: BoundAction, input: unknown): Promise<Identity> {
  const { apiKey } = call.identity
  const { auth, t } = call.realm
  const account = await accountOf(call)
  const holder = apiKey && auth.apiKeys ? await holderOfKey(apiKey.id, auth.services, auth.apiKeys) : account?.active ? account : null
  if (!holder) throw new DaymarkError('forbidden', t('job.goneUser', { name: (account ?? call).identity.name }))
  const { identity } = holder
  if (!mayRun(call.realm, identity, call.resource, action)) throw new DeniedError(call.realm)
  if (action.changes) {
    // It writes the fields that were named, whoever may write those by now.
    const asked = inputFields(action, identity)
    if (!Object.keys(input as object).every((name) => asked.has(name))) throw new DeniedError(call.realm)
  }
  return identity
}

/** A handler's answer in the form that is stored with the job. */
async function spoken(
  { message, messageType, redirect, events, html: markup, fieldsValues, download }: Answer,
  realm: Realm,
): Promise<Job['said']> {
  const said: Record<string, Json> = {}
  for (const [name, value] of Object.entries({ message, messageType, redirect, events, fieldsValues }))
    if (value !== undefined) said[name] = value
  if (markup !== undefined) said.html = htmlText(markup)
  if (download !== undefined) said.download = await jobFile(download, realm)
  return Object.keys(said).length === 0 ? null : said
}
