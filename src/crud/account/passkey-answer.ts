import type { PasskeyChallenge } from '../../auth/passkey-challenge.js'
import type { RelyingParty } from '../../auth/relying-party.js'
import { firstUse } from '../../auth/throttle.js'
import { type PasskeyAnswer, readAnswer } from '../../auth/webauthn.js'
import { invalid } from '../../base/errors.js'
import type { GuestCall, Realm } from '../call/call.js'
import type { Input } from '../call/input.js'

/**
 * What a browser answers with: an object in JSON, which a form holds as a text.
 *
 * @throws DaymarkError `invalid`
 */
export function passkeyAnswer({ body }: Input, { t }: Realm): PasskeyAnswer {
  const sent = body.from === 'none' ? undefined : body.fields.get('credential')
  const answer = readAnswer(body.from === 'form' ? parsed((sent as readonly string[] | undefined)?.at(-1) ?? '') : sent)
  if (!answer) throw invalid('credential', t('passkey.badAnswer'))
  return answer
}

/**
 * The challenge that an answer is for, if it is one of this browser's, and young.
 *
 * @param session the one that adds a passkey; null: somebody signs in
 */
export function challengeFor(
  { from }: Pick<GuestCall, 'from'>,
  { challenge }: PasskeyAnswer,
  session: string | null,
): PasskeyChallenge | undefined {
  return from.challenges.find((one) => one.challenge === challenge && (one.adds?.session ?? null) === session)
}

/** Whether a challenge is answered for the first time, in whatever process: a copy of the cookie goes on having it. */
export function isFirstAnswer({ uses }: RelyingParty, { challenge }: PasskeyChallenge): Promise<boolean> {
  return firstUse(uses, 'passkey', challenge)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
