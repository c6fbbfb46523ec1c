import { jsEvent } from '../../base/event.js'
import type { Translate } from '../../base/messages.js'
import type { Answer, HandlerContext } from '../../resource/action/action.js'
import type { users } from './tables.js'

/** Turns off the two-factor sign-in of users who lost their device. */
export function twoFactorRemoval(t: Translate) {
  return async ({ selected, update }: HandlerContext<typeof users.$inferSelect, typeof users.$inferInsert, unknown>): Promise<Answer> => {
    const names: string[] = []
    for await (const some of selected())
      for (const { id, username } of some) {
        await update(id, { twoFactor: null })
        names.push(username)
      }
    return { message: t('users.twoFactorIsOff', { names: names.join(', ') }), events: [jsEvent('TABLE_UPDATED', 'index-table-users')] }
  }
}
