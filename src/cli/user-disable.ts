import { defineCommand } from 'citty'
import { byCommand, ownUsers } from './account.js'
import { given } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'

export const userDisable = defineCommand({
  meta: { name: 'user:disable', description: 'Keeps a user out from the next request on; --enable lets them in again' },
  args: {
    username: { type: 'string', description: 'Who' },
    enable: { type: 'boolean', description: 'The other way round' },
    ...panelArgument,
  },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store }) => {
      const username = await given(args.username, 'username', 'Username')
      const user = await ownUsers(store).setActive(username, args.enable === true, byCommand)
      console.log(`${user.username} is ${user.active ? 'active' : 'disabled'}`)
    }),
})
