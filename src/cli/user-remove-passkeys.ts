import { defineCommand } from 'citty'
import { accountOf, byCommand } from './account.js'
import { given } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'
import { Stop } from './stop.js'

export const userRemovePasskeys = defineCommand({
  meta: {
    name: 'user:remove-passkeys',
    description: 'Removes the passkeys of a user who lost their device, and ends every session',
  },
  args: { username: { type: 'string', description: 'Whose' }, ...panelArgument },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store }) => {
      const { identity } = await accountOf(store, await given(args.username, 'username', 'Username'))
      const { id, username } = identity
      const count = await store.passkeys.removeOf(id, { ...byCommand, event: 'passkeyRemoved', user: identity })
      if (count === 0) throw new Stop(`${username} has no passkeys`)
      await store.sessions.removeOf(id, null)
      console.log(`Removed the passkeys of ${username}: ${count}`)
    }),
})
