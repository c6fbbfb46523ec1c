import type { Schema } from '../field/wire-schema.js'
import { closed } from '../json/schema.js'
import type { House } from '../plugin/plugin.js'
import type { Resource } from '../resource/resource.js'
import { trashIn } from '../resource/trash-resource.js'
import { type WebhookEvent, webhookEvents } from '../resource/webhook.js'

const what: Readonly<Record<WebhookEvent, string>> = {
  created: 'A record was created',
  updated: 'A record was changed',
  deleted: 'A record was deleted',
  restored: 'A record came back from the trash',
}

/** What the panel tells others, by the type of the message. */
export function webhooksOf({ realm }: House, ref: (name: string) => Schema): Readonly<Record<string, object>> {
  const all = [...realm.resources.values()].flatMap((resource) => {
    const told = realm.webhooks?.of(resource) ?? []
    const events = webhookEvents.filter((event) => told.some(({ on }) => on.has(event)))
    return events.flatMap((event) =>
      event === 'restored' && trashIn(realm.resources, resource) === null
        ? []
        : [[`${resource.uriKey}.${event}`, event, resource] as const],
    )
  })
  return Object.fromEntries(all.map(([type, event, resource]) => [type, { post: operation(type, event, resource, ref) }]))
}

function operation(type: string, event: WebhookEvent, resource: Resource, ref: (name: string) => Schema): object {
  const record = ref(`${resource.uriKey}.Told`)
  const user = closed({ id: { type: 'string' }, name: { type: 'string' } })
  const data = closed({
    resource: { const: resource.uriKey },
    key: { type: ['string', 'integer'], description: 'The key of the record.' },
    record,
    ...(event === 'updated' && { previous: ref(`${resource.uriKey}.Earlier`) }),
    user: { ...user, description: 'Who did it.' },
  })
  const schema = closed({
    type: { const: type },
    timestamp: { type: 'string', format: 'date-time', description: 'When it was written.' },
    data,
  })
  return {
    operationId: `webhook.${type}`,
    tags: [resource.title],
    summary: what[event],
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Taken. After any other answer, or none, the message is sent again later.' },
      '410': { description: 'Not wanted: the message is not sent again.' },
    },
  }
}

const header = (name: string, description: string, schema: Schema) => ({ name, in: 'header', required: true, description, schema })

const headers = [
  header('webhook-id', 'Names the message: the same whenever it is sent.', { type: 'string', pattern: '^msg_' }),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970.', { type: 'string', pattern: '^\\d+$' }),
  header('webhook-signature', 'Signatures of `{id}.{timestamp}.{body}` by HMAC-SHA256, as Standard Webhooks says, separated by spaces.', {
    type: 'string',
    pattern: '^v1,',
  }),
]
