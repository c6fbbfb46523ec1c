import { hash } from 'node:crypto'
import * as z from 'zod'
import type { Identity } from '../auth/identity.js'
import type { Grant, Services } from '../auth/pipeline.js'
import type { CodesCounted } from '../auth/second-factor.js'
import type { DaymarkError } from '../base/errors.js'
import type { Realm } from '../crud/call.js'
import { densities } from '../crud/chosen.js'
import { isControlled } from '../crud/form-field.js'
import type { Lens } from '../crud/lens.js'
import type { StaleError } from '../crud/outcome.js'
import type { CodeAsked, Preferred, Profile, SignedIn, TwoFactorShown } from '../crud/outcomes/account.js'
import type { Formed, FormedNested, FormField, Would } from '../crud/outcomes/forms.js'
import type { Found, Palette } from '../crud/outcomes/found.js'
import type { ImportCounts, Importing } from '../crud/outcomes/imports.js'
import type { Chunk, Listed, Streamed } from '../crud/outcomes/lists.js'
import type { Home } from '../crud/outcomes/pages.js'
import type { Confirm, Deleted, History, Saved, Shown } from '../crud/outcomes/records.js'
import { labelOf, type NamedRelation, relatedRecords } from '../crud/related.js'
import { themes } from '../crud/theme.js'
import type { Around } from '../face/face.js'
import { targetsOf } from '../face/targets.js'
import { type Json, Unreadable } from '../field/field.js'
import { fileName } from '../field/file-name.js'
import { inputSchema } from '../field/wire-schema.js'
import { url } from '../route/url.js'
import { describedChoices } from './choosable.js'
import { metaOf } from './meta.js'
import { problemBody } from './problem.js'
import { type SummaryBody, summaryBody } from './summary.js'

/** The JSON body of each Outcome and its schema, defined only here. What depends on a resource is in `records.ts`. */

type Fields = Record<string, Json>

const message = z.string()
const time = z.iso.datetime()

export const homeSchema = z.strictObject({
  data: z.array(z.strictObject({ uriKey: z.string(), title: z.string(), url: z.string() })),
})

export function homeBody({ resources }: Home, { place }: Around): z.infer<typeof homeSchema> {
  return { data: resources.map(({ uriKey, title }) => ({ uriKey, title, url: url(place, 'crud.index', { resourceUri: uriKey }) })) }
}

/** A list as one part of a body. */
export function listedBody(listed: Listed, at: Around) {
  return { data: recordsOf(listed.lens, listed.listing.include, listed), ...metaOf(listed, at), ...summaryPart(listed) }
}

/** The numbers below the columns of a list, if they were asked for. */
export function summaryPart({ summary }: Pick<Listed, 'summary'>): { readonly summary?: SummaryBody } {
  return summary ? { summary: summaryBody(summary) } : {}
}

/** A list without pages, streamed while it is read. The total is known only at the end. */
export async function* streamedBody(streamed: Streamed): AsyncGenerator<string | Uint8Array> {
  let total = 0
  yield '{"data":['
  for await (const chunk of streamed.chunks) {
    if (total > 0) yield ','
    yield chunk.written?.records ?? recordTexts(streamed.lens, streamed.listing.include, chunk).join()
    total += chunk.written?.count ?? chunk.rows.length
  }
  yield `],${JSON.stringify({ meta: { total }, ...summaryPart(streamed) }).slice(1)}`
}

type Rows = Pick<Chunk, 'rows' | 'related'>

function recordsOf(lens: Lens, include: readonly NamedRelation[], { rows, related }: Rows): readonly Fields[] {
  return rows.map((row) => {
    const record: Fields = lens.record(row)
    for (const one of include) record[one.name] = relatedRecords(related, one, lens, row)
    return record
  })
}

/** The records, each as JSON text. */
export function recordTexts(lens: Lens, include: readonly NamedRelation[], chunk: Rows): readonly string[] {
  return recordsOf(lens, include, chunk).map((record) => JSON.stringify(record))
}

/** The body of a single record, as text. */
export function shownText({ lens, row, text, include, related }: Shown): string {
  return `{"data":${text ?? recordTexts(lens, include, { rows: [row], related }).join()}}`
}

export function savedText({ created, lens, row, text }: Saved, { realm: { t } }: Around): string {
  const message = created ? t('record.created', { title: labelOf(lens, row) }) : t('record.saved')
  return `{"data":${text ?? lens.text(row)},"message":${JSON.stringify(message)}}`
}

// What a field held then need not be what its kind takes today.
const then = z.unknown().describe('The value, as in JSON; null for a secret')

export const historySchema = z.strictObject({
  data: z.array(
    z.strictObject({
      id: z.int(),
      at: time,
      action: z.enum(['create', 'update', 'delete', 'restore']),
      user: z.strictObject({ id: z.string(), name: z.string() }).describe('With the name that the user had then'),
      changes: z.record(z.string(), z.strictObject({ before: then, after: then })).describe('By field'),
    }),
  ),
  meta: z.strictObject({ perPage: z.int(), nextCursor: z.string().nullable() }),
})

/** The history of a record, the newest first. */
export function historyBody({ entries, perPage, nextCursor }: History) {
  const data = entries.map(({ id, at, action, userId, userName, changes }) => ({
    id,
    at: at.toISOString(),
    action,
    user: { id: userId, name: userName },
    changes: Object.fromEntries(changes.map(({ field, before, after }) => [field.key, { before, after }])),
  }))
  return { data, meta: { perPage, nextCursor } }
}

export const importingSchema = z.strictObject({
  data: z.strictObject({
    modes: z.array(z.enum(['create', 'update', 'both'])).describe('What the caller may do'),
    key: z.string().nullable().describe('The field that names the records to change; null if the caller may change none by it'),
    match: z.array(z.string()).describe('The fields by whose values, together, rows without a key find the record to change'),
    fields: z
      .array(
        z.strictObject({
          name: z.string(),
          label: z.string(),
          required: z.boolean(),
          by: z.array(z.string()).optional().describe('The fields of related records by whose values, together, they may be named, too'),
        }),
      )
      .describe('What rows may hold'),
  }),
})

export function importingBody({ modes, key, match, fields, related }: Importing): z.infer<typeof importingSchema> {
  return {
    data: {
      modes: [...modes],
      key: key?.key ?? null,
      match: match.map(({ key }) => key),
      fields: fields.map((field) => {
        const by = related.get(field)?.map(({ key }) => key) ?? []
        return { name: field.key, label: field.label, required: field.required, ...(by.length > 0 && { by }) }
      }),
    },
  }
}

const count = z.int().min(0)
export const importedSchema = z.strictObject({
  message,
  data: z.strictObject({
    created: count,
    updated: count,
    unchanged: count.describe('Rows that are as their records are'),
    ignored: z.array(z.string()).describe('The columns of the file that are not imported'),
    checked: z.boolean().describe('Whether nothing was written, since it was only to be checked'),
  }),
})

export function importedBody({ created, updated, unchanged, ignored }: ImportCounts, checked: boolean, { realm: { t } }: Around) {
  const counts = { created, updated, unchanged }
  return { message: t(checked ? 'import.checked' : 'import.done', counts), data: { ...counts, ignored, checked } }
}

export const uploadedSchema = z.strictObject({
  data: z.strictObject({
    path: z.string().describe('The value of the field, in a create or an update'),
    name: z.string().describe('The name that the file has now'),
    size: z.int().min(0).describe('In bytes'),
  }),
})

export function uploadedBody(path: string, size: number): z.infer<typeof uploadedSchema> {
  return { data: { path, name: fileName(path), size } }
}

export const deletedSchema = z.strictObject({ message, deleted: z.int().min(0) })

export function deletedBody({ count }: Deleted, { realm: { t } }: Around): z.infer<typeof deletedSchema> {
  return { message: count === 1 ? t('record.deleted') : t('record.deletedMany', { count }), deleted: count }
}

/** The error together with the current record, if the caller may view it. */
export function staleBody(error: StaleError, at: Around) {
  const { current } = error
  return { ...problemBody(error, at), ...(current && { data: current.lens.record(current.row) }) }
}

/** What a form would show, by the names of its controls. */
export function wouldBody({ computed, filled }: Would) {
  return { computed: Object.fromEntries(computed), filled: Object.fromEntries(filled) }
}

/** The data of a form page: the values, their schema, and the choices of fields with a search. */
export function formBody({ fields, nested }: Formed, { realm }: Around) {
  const shown = [
    ...fields.map((one) => [one.field.key, beganWith(one, realm)] as const),
    ...nested.map((list) => [list.name, nestedRows(list, realm)] as const),
  ]
  const options = fields.flatMap(({ field, choices }) => (choices ? [[field.key, choices] as const] : []))
  return {
    data: Object.fromEntries(shown),
    schema: { ...schemaOf(fields), properties: { ...schemaOf(fields).properties, ...nestedSchemas(nested) } },
    options: Object.fromEntries(options),
  }
}

/** Related records as they can be sent back; null: more than a form can hold. */
function nestedRows({ rows, resource, isElsewhere }: FormedNested, realm: Realm): Json {
  if (isElsewhere) return null
  const key = resource.model.key
  return rows.map((row) => ({
    ...(row.key !== null && {
      [key.key]: key.type === 'integer' && Number.isSafeInteger(Number(row.key)) ? Number(row.key) : row.key,
      _version: row.version,
    }),
    ...Object.fromEntries(row.fields.flatMap((one) => (one.writable || row.key !== null ? [[one.field.key, beganWith(one, realm)]] : []))),
  }))
}

/** What a field of a form starts with: as the record itself says it, or else as its text is read. */
function beganWith({ field, begins, text }: FormField, realm: Realm): Json {
  if (field.kind.secret) return null
  // Reading the stored value's text would trim, round or lose what the field's rules would refuse today.
  if (begins !== null) return field.kind.wire(begins, field) ?? null
  const read = text === '' ? null : field.kind.read(text, field, realm)
  return read instanceof Unreadable ? null : (read as Json)
}

function schemaOf(fields: Formed['fields']) {
  const writable = fields.filter((one) => one.writable)
  const shown = fields.filter(isControlled)
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((one) => [one.field.key, fieldSchema(one, fields)])),
    required: writable.filter(({ field }) => field.required).map(({ field }) => field.key),
  }
}

function nestedSchemas(nested: Formed['nested']) {
  return Object.fromEntries(
    nested.map(({ name, title, fresh, rows, most }) => {
      const controls = (fresh ?? rows[0])?.fields ?? []
      const { properties } = schemaOf(controls)
      return [name, { title, type: 'array', maxItems: most, items: { type: 'object', properties } }]
    }),
  )
}

function fieldSchema({ field, next, closed }: Pick<FormField, 'field' | 'next' | 'closed'>, among: Formed['fields']) {
  const others = among.map((one) => one.field)
  return {
    title: field.label,
    ...inputSchema(field),
    ...describedChoices(field, others),
    ...(closed !== null && { description: closed, readOnly: true }),
    ...(next && {
      enum: next
        .filter((value) => value !== null || field.nullable)
        .map((value) => (value === null ? null : field.kind.wire(value, field))),
    }),
  }
}

/** Only for a form that spells DELETE and has not been confirmed yet; a real DELETE acts at once. */
export const confirmSchema = z.strictObject({
  data: z.strictObject({ count: z.int(), labels: z.array(z.string()), ids: z.array(z.string()).nullable() }),
})

export function confirmBody({ count, labels, ids }: Confirm): z.infer<typeof confirmSchema> {
  return { data: { count, labels: [...labels], ids: ids && [...ids] } }
}

export const choiceSchema = z.strictObject({
  key: z.string(),
  label: z.string(),
  hint: z
    .string()
    .optional()
    .meta({ description: 'What tells it from others of the same label, or why it was found although its label does not say so.' }),
})
export const foundSchema = z.strictObject({ data: z.array(choiceSchema) })

export function foundBody({ choices }: Found): z.infer<typeof foundSchema> {
  return { data: [...choices] }
}

export const paletteSchema = z.strictObject({
  data: z.array(
    z.strictObject({
      kind: z.enum(['list', 'page', 'record']),
      group: z.string(),
      label: z.string(),
      url: z.string(),
      hint: z.string().optional(),
    }),
  ),
})

/** The targets of the command palette, in the order in which it shows them. */
export function paletteBody(palette: Palette, at: Around): z.infer<typeof paletteSchema> {
  return { data: [...targetsOf(palette, at)] }
}

export const preferredSchema = z.strictObject({
  data: z.strictObject({
    theme: z.enum(themes),
    density: z.enum(densities),
    language: z.string().optional().describe('In a panel of several languages: the one that was chosen. Left out: none.'),
    columns: z.record(z.string(), z.array(z.string())).describe('The columns of lists in their order, by the resource'),
    views: z.record(z.string(), z.record(z.string(), z.string())),
  }),
})

export function preferredBody({ chosen: { theme, density, language, columns, views } }: Preferred) {
  const named = [...views].map(([uri, all]) => [uri, Object.fromEntries(all.map(({ name, query }) => [name, query]))] as const)
  return {
    data: {
      theme: theme ?? 'system',
      density,
      ...(language !== null && { language }),
      columns: Object.fromEntries([...columns].map(([uri, { shown }]) => [uri, shown])),
      views: Object.fromEntries(named),
    },
  }
}

const user = { id: z.string(), username: z.string(), name: z.string(), roles: z.array(z.string()) }

const wrongCodes = z
  .strictObject({ count: z.int(), last: time })
  .describe('Wrong codes of two-factor sign-in that came with the right password: how many, and when the last one')

const countedBody = ({ count, last }: CodesCounted) => ({ count, last })

/** What a sign-in with a code tells besides. */
const secondStep = {
  codesLeft: z.int().optional().describe('How many recovery codes are left, where one was used'),
  wrongCodes: wrongCodes.optional(),
}

function secondStepBody({ codesLeft = null, wrongCodes = null }: SignedIn) {
  return { ...(codesLeft !== null && { codesLeft }), ...(wrongCodes && { wrongCodes: countedBody(wrongCodes) }) }
}

export const signedInSchema = z.strictObject({ message, user: z.strictObject(user), ...secondStep })

/** The answer to a sign-in with a cookie. */
export function signedInBody(signed: SignedIn, { realm: { t } }: Around): z.infer<typeof signedInSchema> {
  return { message: t('signIn.done'), user: userBody(signed.identity), ...secondStepBody(signed) }
}

export const tokensSchema = z.strictObject({
  token: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().describe('Seconds'),
  refreshToken: z.string(),
})

export const signedInTokensSchema = tokensSchema.extend(secondStep)

/** The answer to a sign-in with tokens. */
export function signedInTokensBody(signed: SignedIn, grant: Extract<Grant, { is: 'tokens' }>): z.infer<typeof signedInTokensSchema> {
  return { ...tokensBody(grant), ...secondStepBody(signed) }
}

/** The answer to a refresh with tokens. */
export function tokensBody({ token, expiresIn, refreshToken }: Extract<Grant, { is: 'tokens' }>): z.infer<typeof tokensSchema> {
  return { token, tokenType: 'Bearer', expiresIn, refreshToken }
}

/** What a 401 of a sign-in has besides, where the password was right. */
export const ticketSchema = z.strictObject({
  ticket: z.string().describe('Send it to `authenticate/code` with the code. It is there if the password was right'),
  expiresIn: z.int().describe('How long the ticket is valid, in seconds'),
})

/** The problem that asks for a code. */
export function codeAskedBody({ ticket, expiresIn }: CodeAsked, error: DaymarkError, at: Around) {
  return { ...problemBody(error, at), ...({ ticket, expiresIn } satisfies z.infer<typeof ticketSchema>) }
}

export const twoFactorSchema = z.strictObject({
  data: z.strictObject({
    on: z.boolean(),
    required: z.boolean().describe('Whether it cannot be turned off'),
    since: time.nullable(),
    codesLeft: z.int().describe('How many recovery codes are left'),
    wrongCodes: wrongCodes.nullable(),
    setUp: z
      .strictObject({ secret: z.string().describe('In base32'), uri: z.string().describe('What a QR code says') })
      .nullable()
      .describe('A secret to turn it on with, where it is off'),
  }),
  codes: z.array(z.string()).optional().describe('New recovery codes, which are sent just this once'),
  message: message.optional(),
})

const did = { on: 'twoFactor.turnedOn', off: 'twoFactor.turnedOff', codes: 'twoFactor.codesMade' } as const

/** The two-factor sign-in of the caller. */
export function twoFactorBody(shown: TwoFactorShown, { realm: { t } }: Around): z.infer<typeof twoFactorSchema> {
  const { on, required, setUp, codes } = shown
  return {
    data: {
      on: on !== null,
      required,
      since: on?.since.toISOString() ?? null,
      codesLeft: on?.codesLeft ?? 0,
      wrongCodes: on?.wrongCodes ? countedBody(on.wrongCodes) : null,
      setUp: setUp && { secret: setUp.secret, uri: setUp.uri },
    },
    ...(codes.length > 0 && { codes: [...codes] }),
    ...(shown.did && { message: t(did[shown.did]) }),
  }
}

const ownSession = z.strictObject({
  id: z.string(),
  kind: z.enum(['browser', 'tokens']),
  agent: z.string(),
  current: z.boolean(),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
})

const ownSignIn = z.strictObject({
  at: time,
  event: z.enum(['signedIn', 'signInFailed']),
  way: z.string(),
  reason: z.string().nullable(),
  address: z.string(),
  agent: z.string(),
  count: z.int(),
})

const profileOf = <T extends z.ZodType>(session: T) =>
  z.strictObject({
    data: z.strictObject({
      ...user,
      timeZone: z.string().nullable(),
      twoFactor: z.boolean().nullable().describe('Whether two-factor sign-in is on; null: the user cannot have it'),
      sessions: z.array(session),
      signIns: z.array(ownSignIn).optional().describe('The last sign-ins, and those that failed: where the panel keeps them'),
    }),
    message: message.optional(),
  })

export const profileSchema = profileOf(ownSession)
/** Where users can sign in with OpenID providers, too. */
export const profileWaysSchema = profileOf(
  ownSession.extend({ openId: z.string().nullable().describe('The id of the OpenID provider that the user has signed in with') }),
)

/** The caller's profile and sessions. */
export function profileBody(
  { identity, timeZone, twoFactor, sessions, signIns, current, changed }: Profile,
  { realm: { t, auth } }: Around,
): z.infer<typeof profileSchema> | z.infer<typeof profileWaysSchema> {
  const hasWays = auth.services.openIds.length > 0
  const own = sessions.map(({ id, kind, agent, openId, createdAt, lastSeenAt, expiresAt }) => ({
    id,
    kind: kind === 'tokens' ? kind : ('browser' as const),
    agent,
    current: id === current,
    ...(hasWays && { openId: openId?.provider ?? null }),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
  const known = signIns?.map(({ at, event, way, reason, address, agent, count }) => ({
    at: at.toISOString(),
    event: event === 'signedIn' ? event : ('signInFailed' as const),
    way,
    reason,
    address,
    agent,
    count,
  }))
  const data = { ...userBody(identity), timeZone, twoFactor, sessions: own, ...(known && { signIns: known }) }
  return { data, ...(changed && { message: t('profile.saved') }) }
}

function userBody({ id, username, name, roles }: Identity) {
  return { id, username, name, roles: [...roles] }
}

/** A weak ETag of a body: equal bodies have equal tags. */
export function weakTag(body: string | Uint8Array): string {
  return `W/"${hash('sha1', body, 'base64url')}"`
}

export const healthSchema = z.strictObject({ status: z.literal('ok') })
export const messageSchema = z.strictObject({ message })

const openIdWays = { openIds: z.array(z.strictObject({ id: z.string(), label: z.string(), url: z.string() })) }
const passkeyWay = {
  passkey: z.strictObject({
    options: z.string().describe('Where to get the options'),
    action: z.string().describe('Where the answer goes'),
  }),
}

/** The ways to sign in that a panel has. */
export function signInSchema({ openIds, relyingParty }: Services) {
  const action = openIds.length > 0 ? z.string().nullable() : z.string()
  const ways = { ...(openIds.length > 0 && openIdWays), ...(relyingParty && passkeyWay) }
  return z.strictObject({ data: z.strictObject({ action, fields: z.array(z.string()), ...ways }) })
}

/** How to sign in. */
export function signInBody({ realm: { auth }, place }: Around): z.infer<ReturnType<typeof signInSchema>> {
  const { openIds, relyingParty } = auth.services
  const byPassword = { action: url(place, 'authenticate'), fields: ['username', 'password', 'remember'] }
  const ways = openIds.map(({ id, label }) => ({ id, label, url: url(place, 'openid', { provider: id }) }))
  const passkey = { options: url(place, 'passkey.begin'), action: url(place, 'passkey') }
  return {
    data: {
      ...(auth.signsIn ? byPassword : { action: null, fields: [] }),
      ...(ways.length > 0 && { openIds: ways }),
      ...(relyingParty && { passkey }),
    },
  }
}

export const openIdSchema = z.strictObject({ url: z.string() })
export const resetSchema = z.strictObject({ data: z.strictObject({ username: z.string() }) })
