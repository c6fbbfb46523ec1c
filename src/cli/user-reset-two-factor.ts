import { defineCommand } from 'citty'
import { accountOf, byCommand } from './account.js'
import { given } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'
import { Stop } from './stop.js'

export const userResetTwoFactor = defineCommand({
  meta: {
    name: 'user:reset-two-factor',
    description: 'Turns two-factor sign-in off for a user who lost their phone, and ends every session',
  },
  args: { username: { type: 'string', description: 'Whose' }, ...panelArgument },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store }) => {
      const { identity, twoFactor } = await accountOf(store, await given(args.username, 'username', 'Username'))
      const { id, username } = identity
      if (twoFactor === null) throw new Stop(`${username} signs in without a code`)
      const event = { ...byCommand, event: 'twoFactorOff', user: identity } as const
      if (!(await store.users.changeTwoFactor(id, twoFactor, null, event)))
        throw new Stop(`The two-factor sign-in of ${username} was changed at the same time`)
      await store.sessions.removeOf(id, null)
      console.log(`Two-factor sign-in is off for ${username}`)
    }),
})
