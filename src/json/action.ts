import * as z from 'zod'
import { htmlText } from '../crud/action/answer.js'
import { jobText } from '../crud/action/job-text.js'
import type { Acted, JobShown, Progress } from '../crud/outcomes/actions.js'
import type { PresenterContext, Reply } from '../face/face.js'
import { url } from '../route/url.js'
import type { Job } from '../store/panel/jobs.js'

export const actedSchema = z.strictObject({
  message: z.string(),
  messageType: z.enum(['success', 'info', 'warning', 'error']),
  redirect: z.string().optional(),
  events: z.array(z.string()).optional(),
  html: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  fieldsValues: z.record(z.string(), z.unknown()).optional(),
})

/** The answer of an action. */
export function actedBody({ answer, gone = null }: Acted, { realm: { t }, place }: PresenterContext) {
  const { message, messageType = 'success', events, html, fieldsValues } = answer
  const redirect = answer.redirect ?? (gone ? url(place, 'crud.index', { resourceUri: gone.uriKey }) : undefined)
  return {
    message: message ?? t('action.done'),
    messageType,
    ...(redirect !== undefined && { redirect }),
    ...(events !== undefined && { events }),
    ...(html !== undefined && { html: htmlText(html) }),
    ...(fieldsValues !== undefined && { fieldsValues }),
  }
}

const time = z.iso.datetime()

export const jobSchema = z.strictObject({
  data: z.strictObject({
    id: z.string(),
    label: z.string(),
    resource: z.string(),
    handler: z.string(),
    state: z.string(),
    done: z.int(),
    total: z.int().nullable(),
    cancelling: z.boolean(),
    text: z.string(),
    createdAt: time,
    endedAt: time.nullable(),
    url: z.string(),
    answer: z.unknown().optional(),
  }),
  message: z.string().optional(),
})

export function jobBody({ job, started }: JobShown, at: PresenterContext) {
  return { data: jobData(job, at), ...(started && { message: at.realm.t('job.started', { label: job.label }) }) }
}

function jobData(job: Job, at: PresenterContext) {
  const { id, label, state, done, total, cancelling, said, resourceUri, handlerUri, createdAt, endedAt } = job
  return {
    id,
    label,
    resource: resourceUri,
    handler: handlerUri,
    state,
    done,
    total,
    cancelling,
    text: jobText(job, at.realm.t),
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    url: url(at.place, 'job.show', { id }),
    ...(said && { answer: said }),
  }
}

/** Sends each state of a job as a server-sent event. */
export function progressReply({ states }: Progress, at: PresenterContext): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    body: events(states, at),
  }
}

async function* events(states: Progress['states'], at: PresenterContext): AsyncGenerator<string> {
  for await (const job of states) {
    if (job) yield `event: ${job.state === 'running' ? 'progress' : 'end'}\ndata: ${JSON.stringify(jobData(job, at))}\n\n`
    else yield ': still here\n\n'
  }
}
