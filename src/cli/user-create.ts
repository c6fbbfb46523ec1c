import { defineCommand } from 'citty'
import { hashPassword } from '../auth/password.js'
import { ownUsers } from './account.js'
import { given, newPassword } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'

export const userCreate = defineCommand({
  meta: { name: 'user:create', description: 'Creates a user. The password is asked for, or is DAYMARK_PASSWORD' },
  args: {
    username: { type: 'string', description: 'What they sign in with, such as their e-mail address' },
    name: { type: 'string', description: 'What they are called. Default: the username' },
    roles: { type: 'string', description: 'Role names, separated by commas. Default: admin' },
    ...panelArgument,
  },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store }) => {
      const users = ownUsers(store)
      const username = await given(args.username, 'username', 'Username')
      const name = await given(args.name, 'name', 'Name', username)
      const roles = (await given(args.roles, 'roles', 'Roles, separated by commas', 'admin')).split(',').map((role) => role.trim())
      const user = await users.create({
        username,
        name,
        roles: roles.filter(Boolean),
        passwordHash: await hashPassword(await newPassword()),
      })
      console.log(`Created ${user.username} (${user.roles.join(', ')})`)
    }),
})
