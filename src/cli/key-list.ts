import { defineCommand } from 'citty'
import { keySettings } from './account.js'
import { lineOf } from './line.js'
import { panelArgument, withPanel } from './panel-file.js'

export const keyList = defineCommand({
  meta: { name: 'key:list', description: 'Lists the API keys of all users' },
  args: { json: { type: 'boolean', description: 'As JSON' }, ...panelArgument },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store, auth }) => {
      keySettings(auth)
      const keys = await store.apiKeys.of(null)
      if (args.json) console.log(JSON.stringify(keys, null, 2))
      else
        for (const { start, username, name, readOnly, roles, expiresAt, lastSeenAt } of keys)
          console.log(
            lineOf([
              `${start}…`,
              username,
              name,
              readOnly ? 'reads' : 'reads and writes',
              roles?.join(',') ?? '*',
              expiresAt ? `until ${expiresAt.toISOString()}` : 'no end',
              lastSeenAt ? `used ${lastSeenAt.toISOString()}` : 'not used',
            ]),
          )
    }),
})
