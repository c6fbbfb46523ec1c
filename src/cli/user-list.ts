import { defineCommand } from 'citty'
import { ownUsers } from './account.js'
import { lineOf } from './line.js'
import { panelArgument, withPanel } from './panel-file.js'

export const userList = defineCommand({
  meta: { name: 'user:list', description: 'Lists the users' },
  args: { json: { type: 'boolean', description: 'As JSON' }, ...panelArgument },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store }) => {
      const users = await ownUsers(store).list()
      if (args.json) console.log(JSON.stringify(users, null, 2))
      else
        for (const { username, name, roles, active, hasTwoFactor, passkeys } of users) {
          const ways = [hasTwoFactor ? 'two-factor' : '-', passkeys > 0 ? `passkeys: ${passkeys}` : '-']
          console.log(lineOf([username, name, roles.join(',') || '-', active ? 'active' : 'disabled', ...ways]))
        }
    }),
})
