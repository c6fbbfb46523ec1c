import { defineCommand } from 'citty'
import { expiryOf, keyNameFault, keyText, longestDays, longestKeyName, makeApiKey, mayHaveKeys, mostKeys } from '../auth/api-key.js'
import { accountOf, byCommand, keySettings } from './account.js'
import { given } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'
import { Stop } from './stop.js'

export const keyCreate = defineCommand({
  meta: { name: 'key:create', description: 'Makes an API key for a user, and prints it. It is not stored, and cannot be printed again' },
  args: {
    username: { type: 'string', description: 'Whose: the key may do what this user may' },
    name: { type: 'string', description: 'What it is for' },
    days: { type: 'string', description: "How long it is valid. Default: for ever, or the most that the panel's apiKeys() allows" },
    roles: { type: 'string', description: 'Which of their roles it may use, separated by commas. Default: all of them' },
    'read-only': { type: 'boolean', description: 'It may only read' },
    ...panelArgument,
  },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store, auth }) => {
      const settings = keySettings(auth)
      const account = await accountOf(store, await given(args.username, 'username', 'Username'))
      const { username, roles: own } = account.identity
      if (!account.active) throw new Stop(`${username} is disabled, and a key would never work: user:disable --enable first`)
      if (!mayHaveKeys(settings, account))
        throw new Stop(`Keys are for users with a role of ${settings.roles?.join(', ')}; ${username} has none`)
      const name = (await given(args.name, 'name', 'Name')).trim()
      const fault = keyNameFault(name)
      if (fault === 'tooLong') throw new Stop(`A name has at most ${longestKeyName} characters`)
      if (fault !== null) throw new Stop('A name is one line of plain characters')
      const roles = args.roles === undefined ? null : [...new Set(args.roles.split(',').flatMap((role) => role.trim() || []))]
      const strange = roles?.filter((role) => !own.includes(role)) ?? []
      if (strange.length > 0 || roles?.length === 0)
        throw new Stop(`--roles names roles of ${username}: ${own.join(', ') || 'there are none'}`)
      const expiresAt = expiryOf(daysOf(args.days, settings.mostDays))
      const { text, key } = makeApiKey(auth.services, account, { name, roles, readOnly: args['read-only'] === true, expiresAt })
      const event = { ...byCommand, event: 'apiKeyCreated', user: account.identity, detail: keyText(key) } as const
      if (!(await store.apiKeys.create(key, mostKeys, event))) throw new Stop(`${username} has ${mostKeys} keys already`)
      // Alone on the output, for whoever writes it to a file.
      console.log(text)
      console.error(
        `Made the key "${name}" for ${username}, valid ${expiresAt ? `until ${expiresAt.toISOString().slice(0, 10)}` : 'for ever'}`,
      )
    }),
})

function daysOf(text: string | undefined, most: number | null): number | null {
  if (text === undefined) return most
  const days = Number(text)
  if (/^\d{1,4}$/.test(text) && days >= 1 && days <= (most ?? longestDays)) return days
  throw new Stop(`--days is a whole number from 1 to ${most ?? longestDays}`)
}
