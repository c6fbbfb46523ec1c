import { defineCommand } from 'citty'
import { hashPassword } from '../auth/password.js'
import { givable } from '../store/panel/users-resource.js'
import { byCommand, ownUsers } from './account.js'
import { given, newPassword } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'
import { Stop } from './stop.js'

export const userCreate = defineCommand({
  meta: { name: 'user:create', description: 'Creates a user. The password is asked for, or is DAYMARK_PASSWORD' },
  args: {
    username: { type: 'string', description: 'What they sign in with, such as their e-mail address' },
    name: { type: 'string', description: 'What they are called. Default: the username' },
    roles: { type: 'string', description: "Role names, separated by commas; '' for none. Default: admin", mayBeEmpty: true },
    'without-password': { type: 'boolean', description: 'The user signs in with an OpenID provider alone' },
    ...panelArgument,
  },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store, resources }) => {
      const users = ownUsers(store)
      const username = await given(args.username, 'username', 'Username')
      const name = await given(args.name, 'name', 'Name', username)
      const text = args.roles ?? (await given(undefined, 'roles', 'Roles, separated by commas', 'admin'))
      const roles = text.split(',').flatMap((role) => role.trim() || [])
      const known = givable(resources.values())
      const strange = known ? roles.filter((role) => !known.includes(role)) : []
      if (strange.length > 0) throw new Stop(`This panel has no role ${strange.join(', ')}. Valid: ${known?.join(', ')}`)
      const passwordHash = args['without-password'] ? null : await hashPassword(await newPassword())
      const user = await users.create({ username, name, roles, passwordHash }, byCommand)
      console.log(`Created ${user.username} (${user.roles.join(', ') || 'no roles'})`)
    }),
})
