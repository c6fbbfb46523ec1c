import { createHmac } from 'node:crypto'
import type { Attempt, Send } from '../crud/realm/webhooks.js'
import { secretBytes, type Webhook } from '../resource/webhook.js'

/** Posts a message as Standard Webhooks says. What the service answers is looked at no further than its status. */
export const sendWebhook: Send = async (webhook, { id, body }, signal) => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Daymark',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures(webhook, `${id}.${timestamp}.${body}`),
      },
      body,
      signal,
      // Elsewhere, nobody has agreed to take it.
      redirect: 'manual',
    })
    await response.body?.cancel()
    return { took: response.ok, said: `HTTP ${response.status}`, gone: response.status === 410, wait: waitOf(response) }
  } catch (thrown) {
    return { took: false, said: whyNot(thrown), gone: false, wait: 0 }
  }
}

function signatures({ secret }: Webhook, content: string): string {
  const one = (text: string) =>
    `v1,${createHmac('sha256', secretBytes(text) as Buffer)
      .update(content)
      .digest('base64')}`
  return [secret].flat().map(one).join(' ')
}

/** `Retry-After` in milliseconds (RFC 9110 §10.2.3). */
function waitOf({ headers }: Response): Attempt['wait'] {
  const text = headers.get('retry-after') ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) ? Math.max(0, wait) : 0
}

function whyNot(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'no answer'
  const { code, message } = (thrown.cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return thrown.name === 'TimeoutError' ? 'timeout' : String(code ?? message ?? thrown.message)
}
