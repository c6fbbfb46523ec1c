import type { PasskeyChallenge } from '../auth/passkey-challenge.js'
import { firstUse } from '../auth/throttle.js'
import { type PasskeyAnswer, readAnswer } from '../auth/webauthn.js'
import { invalid } from '../base/errors.js'
import type { GuestCall, Input, PanelCall, Realm } from './call.js'

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
 * Takes the challenge that an answer is for: it is this browser's, for this session, young, and used for the first time, in whatever process.
 * Null: there is none.
 *
 * @param session the one that adds a passkey; null: somebody signs in
 */
export async function takeChallenge(
  { from, realm }: GuestCall | PanelCall,
  { challenge }: PasskeyAnswer,
  session: string | null,
): Promise<{ readonly asked: PasskeyChallenge; readonly others: readonly PasskeyChallenge[] } | null> {
  const { relyingParty } = realm.auth.services
  const asked = from.challenges.find((one) => one.challenge === challenge && (one.adds?.session ?? null) === session)
  if (!asked || !relyingParty || !(await firstUse(relyingParty.uses, 'passkey', challenge))) return null
  return { asked, others: from.challenges.filter((one) => one !== asked) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
