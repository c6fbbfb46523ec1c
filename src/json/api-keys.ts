import * as z from 'zod'
import type { ApiKeys } from '../crud/outcomes/account.js'
import type { PresenterContext } from '../face/face.js'

type Shown = ApiKeys['keys'][number]

const apiKeyData = z.strictObject({
  id: z.string().describe('To delete it by'),
  name: z.string(),
  start: z.string().describe('How the key begins'),
  roles: z.array(z.string()).nullable().describe("The roles that it may use, of the user's; null: all of them"),
  readOnly: z.boolean(),
  valid: z.boolean().describe('Whether it is good for anything: not after its end, nor after its user was disabled or renamed'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  lastSeenAt: z.iso.datetime().nullable().describe('To about a minute'),
})

export const apiKeysSchema = z.strictObject({ data: z.array(apiKeyData) })
export const apiKeyMadeSchema = z.strictObject({
  data: apiKeyData,
  key: z.string().describe('The key, which is sent just this once'),
  message: z.string(),
})

/** The API keys of the caller, without the keys themselves. */
export function apiKeysBody({ keys }: ApiKeys): z.infer<typeof apiKeysSchema> {
  return { data: keys.map(apiKeyBody) }
}

/** The answer to a new key, the only one with its text. */
export function apiKeyMadeBody(key: Shown, text: string, { realm: { t } }: PresenterContext): z.infer<typeof apiKeyMadeSchema> {
  return { data: apiKeyBody(key), key: text, message: t('apiKey.made', { name: key.name }) }
}

function apiKeyBody({ id, name, start, roles, readOnly, valid, createdAt, expiresAt, lastSeenAt }: Shown): z.infer<typeof apiKeyData> {
  const times = {
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  }
  return { id, name, start, roles: roles && [...roles], readOnly, valid, ...times }
}
