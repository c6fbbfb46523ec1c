import { setTimeout } from 'node:timers/promises'
import { holderOfKey } from '../../auth/api-key.js'
import { isLive } from '../../auth/session.js'
import { DaymarkError } from '../../base/errors.js'
import type { Job } from '../../store/panel/jobs.js'
import { asksRecord, mayRun, seesAll } from '../call/allow.js'
import type { PanelCall } from '../call/call.js'
import { ownerOf } from '../call/job-owner.js'
import type { Outcome } from '../outcomes/outcome.js'

/** The progress of a job: once, or streamed at each change. */
export async function jobShow(call: PanelCall): Promise<Outcome> {
  const job = await findJob(call)
  return call.wants.stream ? { is: 'progress', states: states(call, job) } : { is: 'job', job, started: false }
}

/** Asks a job to stop after its current batch. What it has done stays. */
export async function jobCancel(call: PanelCall): Promise<Outcome> {
  const { id } = await findJob(call)
  const job = await call.realm.jobs.cancel(id)
  if (!job) throw noJob(call)
  return { is: 'job', job: seen(job, call), started: false }
}

/**
 * A job is visible to the user who started it and to those who could have started it: not to users who see only some of the records, nor
 * where a policy judges each of them, since theirs might be another job.
 */
async function findJob(call: PanelCall): Promise<Job> {
  const { realm, identity, input } = call
  const job = await realm.jobs.find(input.params?.get('id') ?? '')
  if (!job) throw noJob(call)
  if (job.userId === ownerOf(identity)) return job
  const resource = realm.resources.get(job.resourceUri)
  const action = resource?.handlers.get(job.handlerUri)
  if (!resource || !action || !mayRun(realm, identity, resource, action)) throw noJob(call)
  // Which records it was about, nobody knows any more.
  if (!seesAll(identity, resource) || asksRecord(resource, action)) throw noJob(call)
  return seen(job, call)
}

/** A job's file contains what its owner may see, so nobody else gets it. */
function seen(job: Job, { identity }: PanelCall): Job {
  if (job.userId === ownerOf(identity) || !job.said?.download) return job
  const { download: _, ...said } = job.said
  return { ...job, said }
}

function noJob({ realm }: PanelCall): DaymarkError {
  return new DaymarkError('notFound', realm.t('job.none'))
}

const often = 300
// A stream may go on for hours after its reader has signed out.
const asks = 2000
// Proxies close a connection that is silent for long.
const quiet = 15_000

/** Whether the caller would still be let in. Of whoever signs in in a way of the application's own, only the next request tells. */
async function isStillIn({ from, identity, realm }: PanelCall): Promise<boolean> {
  const { services, apiKeys } = realm.auth
  if (from.session !== null) return isLive(services, from.session)
  return !identity.apiKey || !apiKeys || (await holderOfKey(identity.apiKey.id, services, apiKeys)) !== null
}

/** The job at each step; null: nothing new, only a sign of life. */
async function* states(call: PanelCall, first: Job): AsyncGenerator<Job | null> {
  let job: Job | null = first
  yield job
  let said = performance.now()
  let asked = said
  while (job?.state === 'running') {
    await setTimeout(often)
    if (performance.now() - asked > asks) {
      if (!(await isStillIn(call))) return
      asked = performance.now()
    }
    const found = await call.realm.jobs.find(first.id)
    if (!found) return
    const now = seen(found, call)
    const further: boolean = now.done !== job.done || now.state !== job.state || now.cancelling !== job.cancelling
    job = now
    if (further || performance.now() - said > quiet) {
      yield further ? job : null
      said = performance.now()
    }
  }
}
