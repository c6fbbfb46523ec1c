import { refuse } from '../../base/errors.js'
import { jsEvent } from '../../base/event.js'
import type { Translate } from '../../base/messages.js'
import type { Answer, HandlerContext } from '../../resource/action/action.js'
import type { Words } from '../../resource/action/bind-action.js'
import type { users } from './tables.js'

/** Removes the passkeys of users who lost their device, and ends all of their sessions: whoever has it may be in one. */
export function passkeyRemoval(t: Translate) {
  return async (
    { user, ids, selected }: HandlerContext<typeof users.$inferSelect, unknown, unknown>,
    { removePasskeys }: Words,
  ): Promise<Answer> => {
    if (ids.includes(user.id)) refuse('ids', t('users.passkeysNotSelf'))
    const names: string[] = []
    for await (const some of selected())
      for (const { id, username } of some) {
        await removePasskeys({ id: String(id), username })
        names.push(username)
      }
    return { message: t('users.passkeysAreOff', { names: names.join(', ') }), events: [jsEvent('TABLE_UPDATED', 'index-table-users')] }
  }
}
