import type * as z from 'zod'
import type { Auth } from '../auth/pipeline.js'
import type { Outcome } from '../crud/outcomes/outcome.js'
import type { FileFormat } from '../crud/realm/file-format.js'
import type { Schema } from '../field/wire-schema.js'
import type { Declared } from '../resource/condition/declared.js'
import type { PageFilter } from '../resource/condition/page-choice.js'
import type { Component } from '../resource/pages/component.js'
import type { Resource } from '../resource/resource.js'
import type { Method } from '../route/routes.js'
import { actedSchema, jobSchema } from './action.js'
import { apiKeyMadeSchema, apiKeysSchema } from './api-keys.js'
import { preferredSchema, profileSchema, profileWaysSchema, twoFactorSchema } from './bodies/account.js'
import { uploadedSchema } from './bodies/forms.js'
import { foundSchema, paletteSchema } from './bodies/found.js'
import { importedSchema, importingSchema } from './bodies/imports.js'
import { healthSchema, homeSchema, messageSchema } from './bodies/pages.js'
import { confirmSchema, deletedSchema, historySchema } from './bodies/records.js'
import { openIdSchema, resetSchema, signedInSchema, signedInTokensSchema, signInSchema, tokensSchema } from './bodies/sign-in.js'
import { commentSchema, commentsSchema, commentWrittenSchema } from './comments.js'
import { chosenSchema, composedSchema } from './composed-schema.js'
import { notificationMarkedSchema, notificationSchema, notificationsSchema } from './notifications.js'
import { passkeyMakeSchema, passkeySchema, passkeySignInSchema, passkeysSchema } from './passkeys.js'
import type { SchemaName } from './records.js'
import { closed, plain } from './schema.js'
import { summarySchema } from './summary.js'

/** How the document describes one answer. */
export interface Wire {
  readonly status: number
  readonly description: string
  readonly schema: Schema
  /** Default: `application/json`. */
  readonly type?: string
  /** The headers besides those of every answer. A question mark means: only sometimes. */
  readonly headers?: readonly ('ETag' | 'ETag?' | 'Location' | 'Content-Disposition' | 'Content-Range')[]
}

/** The operation that the answer belongs to. */
export interface WireAbout {
  readonly method: Method
  readonly resource: Resource | null
  /** Whether its path names one of several things. */
  readonly single: boolean
  readonly auth: Auth
  /** The formats of files besides CSV. */
  readonly formats: readonly FileFormat[]
  /** Whether it can end in a refusal of its own, rather than for want of a sign-in. */
  readonly refusable: boolean
  /** Whether it starts a job, rather than asking about one. */
  readonly begins: boolean
  /** Whether a caller may be able to write the record but not view it. */
  readonly unseen: boolean
  /** The components of the page, at every level, that some caller may see; empty if it is made of none. */
  readonly components: readonly Component[]
  /** What users choose on the page, as far as some caller may. */
  readonly filters: ReadonlyMap<string, PageFilter>
  /** The resource that a component shows. */
  resourceOf(named: Declared | string): Resource
  /** Returns a reference to a schema of the resource, or of another one. */
  ref(name: SchemaName | 'CountedMeta' | 'CappedMeta' | 'CursorMeta' | 'Links' | 'Would', resource?: Resource | null): Schema
}

/**
 * How the JSON face answers each Outcome: the statuses and schemas. Errors describe refusals, and outcomes for pages only have none. A
 * missing entry does not compile.
 */
export const wires: { readonly [K in Outcome['is']]: (about: WireAbout) => readonly Wire[] } = {
  home: () => ok('The resources that the caller may list', homeSchema),
  healthy: () => ok('All is well', healthSchema),
  preferred: () => ok('The preferences of the caller', preferredSchema),
  listed: ({ resource, ref }) => (resource?.usePagination === false ? [] : said(200, 'A page of records', pageOf(resource, ref), ['ETag'])),
  streamed: ({ resource, ref }) =>
    resource?.usePagination === false
      ? said(
          200,
          'All records',
          withSummary(resource, { data: rowsOf(ref, resource), meta: closed({ total: { type: 'integer', minimum: 0 } }) }),
        )
      : [],
  exported: ({ formats }) => files('The records', formats),
  importTemplate: ({ formats }) => files('An empty file of the columns', formats),
  importing: ({ method }) => (method === 'GET' ? ok('What an import takes', importingSchema) : []),
  imported: () => ok('What was written, or would be', importedSchema),
  acted: () => ok('The result of the action', actedSchema),
  asked: () => [],
  job: ({ begins }) => (begins ? said(202, 'The job was started', plain(jobSchema), ['Location']) : ok('The state of the job', jobSchema)),
  progress: () => [
    {
      status: 200,
      description: 'Where `Accept` asks for events: each state, until the last one',
      type: 'text/event-stream',
      schema: { type: 'string' },
    },
  ],
  valid: ({ ref }) => said(200, 'The values are valid', ref('Would')),
  palette: () => ok('The matching lists, pages and records', paletteSchema),
  composed: ({ components, filters, resourceOf, ref }) => {
    const schemasOf = (named: Declared | string) => {
      const resource = resourceOf(named)
      return { resource, list: pageOf(resource, ref), form: ref('Form', resource) }
    }
    // A caller may see none of the fields by which users choose; a period is for everybody.
    const isAlways = [...filters.values()].some(({ is }) => is === 'period')
    const body = {
      data: composedSchema(components, schemasOf),
      ...(filters.size > 0 && { filters: chosenSchema(filters, schemasOf) }),
    }
    return said(200, 'The data of each component by name', closed(body, isAlways ? [] : ['filters']))
  },
  part: () => [],
  shown: ({ ref }) =>
    said(
      200,
      'The record. Its version is sent unless `fields` or `include` is used',
      closed({ data: { anyOf: [ref('Record'), ref('Part')] } }),
      ['ETag?'],
    ),
  history: () => said(200, 'What was written to the record, the newest first', plain(historySchema), ['ETag']),
  comments: ({ method }) =>
    method === 'GET' ? said(200, 'The comments on the record, the newest first', plain(commentsSchema), ['ETag']) : [],
  comment: ({ method }) => (method === 'GET' ? ok('The comment', commentSchema) : []),
  commentChanged: ({ method }) =>
    method === 'POST'
      ? said(201, 'The comment was written', plain(commentWrittenSchema), ['Location'])
      : method === 'PATCH'
        ? ok('The comment was changed', commentWrittenSchema)
        : ok('The comment was deleted', messageSchema),
  file: () => [
    {
      status: 200,
      description: 'The file, of the type that it has; one that a browser might run is to be saved',
      type: '*/*',
      schema: { type: 'string', format: 'binary' },
      headers: ['Content-Disposition', 'ETag'],
    },
    {
      status: 206,
      description: 'The bytes that `Range` asks for, where the storage can send a part of a file',
      type: '*/*',
      schema: { type: 'string', format: 'binary' },
      headers: ['Content-Disposition', 'Content-Range', 'ETag'],
    },
  ],
  uploaded: () => said(201, 'The file is kept for a day, for a record to take', plain(uploadedSchema)),
  previewed: () => [],
  form: ({ ref }) => said(200, 'The values of the form and the schema of what may be written', ref('Form')),
  confirm: () => [],
  found: () => ok('The matching records', foundSchema),
  saved: ({ method, ref, unseen }) => {
    const schema = closed({ data: unseen ? { anyOf: [ref('Record'), ref('Part')] } : ref('Record'), message: { type: 'string' } })
    return method === 'POST'
      ? said(201, 'The record was created', schema, ['ETag', 'Location'])
      : said(200, 'The record was saved', schema, ['ETag'])
  },
  deleted: () => ok('Deleted', deletedSchema),
  signIn: ({ method, auth, refusable }) => {
    // Where it is the page after a refusal, JSON gets the refusal.
    if (method !== 'GET' || refusable) return []
    return ok('How to sign in', signInSchema(auth.services))
  },
  openIdBegun: () => ok('Where the browser has to go', openIdSchema),
  signedIn: ({ method, auth }) => ok('Signed in', method === 'POST' && auth.signsIn?.refresh ? signedInTokensSchema : signedInSchema),
  // Its 401 is described with the other problems.
  codeAsked: () => [],
  limited: () => [],
  twoFactor: () => ok('Two-factor sign-in of the caller', twoFactorSchema),
  passkeyAsked: () => ok('What the browser needs to sign in with a passkey', passkeySignInSchema),
  passkeyBegun: () => ok('What the browser needs to make a passkey', passkeyMakeSchema),
  passkeys: ({ method }) =>
    method === 'POST'
      ? said(201, 'The passkey was added', plain(passkeySchema))
      : method === 'PATCH'
        ? ok('The passkey was renamed', passkeySchema)
        : method === 'DELETE'
          ? ok('The passkey was removed', messageSchema)
          : ok('The passkeys of the caller', passkeysSchema),
  apiKeys: ({ method }) =>
    method === 'POST'
      ? said(201, 'The key was made', plain(apiKeyMadeSchema))
      : method === 'DELETE'
        ? ok('The key was deleted', messageSchema)
        : ok('The API keys of the caller', apiKeysSchema),
  notifications: () => said(200, 'What the caller was told, the newest first', plain(notificationsSchema), ['ETag']),
  notification: () => ok('The notification', notificationSchema),
  notificationChanged: ({ method, single }) =>
    method === 'DELETE' ? ok('Deleted', messageSchema) : ok('Marked', single ? notificationMarkedSchema : messageSchema),
  refreshed: () => ok('New tokens', tokensSchema),
  signedOut: () => ok('The session has ended', messageSchema),
  viewing: ({ method }) => ok(method === 'PUT' ? 'The caller looks as this user' : 'The caller is themselves again', messageSchema),
  profile: ({ auth }) => ok('The profile and the active sessions', auth.services.openIds.length > 0 ? profileWaysSchema : profileSchema),
  forgot: ({ method }) =>
    method === 'GET'
      ? ok('How to get a link', messageSchema)
      : said(202, 'A link is on its way, if there is such a user', plain(messageSchema)),
  reset: ({ method }) => (method === 'GET' ? ok('The user of the link', resetSchema) : ok('The password was set', messageSchema)),
  answered: () => said(200, 'The result', { type: 'object', additionalProperties: true }, ['ETag']),
  invalid: () => [],
  stale: () => [],
  unauthenticated: () => [],
  refused: () => [],
}

const wouldBe = (description: string): Schema => ({
  type: 'object',
  description,
  additionalProperties: closed({
    value: { description: 'As in JSON; null: none, or it cannot be told yet.' },
    text: { type: ['string', 'null'], description: 'The text that stands for it; null: none.' },
  }),
})

/** What a form would show with what is typed so far. */
export const wouldProperties: Readonly<Record<string, Schema>> = {
  computed: wouldBe('The computed values that the form shows, by name: `total`, `lines.0.total`.'),
  filled: wouldBe('The values that a write would fill blank fields with, by name, from the records that relations name.'),
}

/** What a form that spells DELETE gets first. No operation of the document returns it. */
export const confirmation: Schema = plain(confirmSchema)

function ok(description: string, schema: z.ZodType): readonly Wire[] {
  return said(200, description, plain(schema))
}

function said(status: number, description: string, schema: Schema, headers: Wire['headers'] = []): readonly Wire[] {
  return [{ status, description, schema, headers }]
}

function pageOf(resource: Resource | null, ref: WireAbout['ref']): Schema {
  return withSummary(resource, { data: rowsOf(ref, resource), meta: metaOf(resource, ref), links: ref('Links') })
}

/** A list, which has the numbers below its columns if they are asked for. */
function withSummary(resource: Resource | null, properties: Readonly<Record<string, Schema>>): Schema {
  const summary = resource && summarySchema(resource)
  return summary ? closed({ ...properties, summary }, ['summary']) : closed(properties)
}

function rowsOf(ref: WireAbout['ref'], resource: Resource | null): Schema {
  return { type: 'array', items: { anyOf: [ref('Row', resource), ref('Part', resource)] } }
}

function metaOf(resource: Resource | null, ref: WireAbout['ref']): Schema {
  if (resource?.simplePaginate) return ref('CursorMeta')
  return { anyOf: [ref(resource?.count === 'capped' ? 'CappedMeta' : 'CountedMeta'), ref('CursorMeta')] }
}

/** A file, as CSV or in one of the panel's formats. */
function files(what: string, formats: readonly FileFormat[]): readonly Wire[] {
  const headers = ['Content-Disposition'] as const
  return [
    { status: 200, description: `${what} as CSV`, type: 'text/csv', schema: { type: 'string' }, headers },
    ...formats.map(
      ({ name, type }): Wire => ({
        status: 200,
        description: `With \`format=${name}\`: as ${name.toUpperCase()}`,
        type,
        schema: { type: 'string', format: 'binary' },
        headers,
      }),
    ),
  ]
}
