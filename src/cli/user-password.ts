import { defineCommand } from 'citty'
import { hashPassword } from '../auth/password.js'
import { accountOf, byCommand } from './account.js'
import { given, newPassword } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'

export const userPassword = defineCommand({
  meta: { name: 'user:password', description: 'Sets a password and ends every session. It is asked for, or is DAYMARK_PASSWORD' },
  args: { username: { type: 'string', description: 'Whose' }, ...panelArgument },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store }) => {
      const { identity } = await accountOf(store, await given(args.username, 'username', 'Username'))
      const event = { ...byCommand, event: 'passwordChanged', user: identity } as const
      await store.users.change(identity.id, { passwordHash: await hashPassword(await newPassword()) }, undefined, event)
      await store.sessions.removeOf(identity.id, null)
      console.log(`The password of ${identity.username} is set`)
    }),
})
