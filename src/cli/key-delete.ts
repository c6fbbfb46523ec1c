import { defineCommand } from 'citty'
import { keySettings } from './account.js'
import { given } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'
import { Stop } from './stop.js'

export const keyDelete = defineCommand({
  meta: { name: 'key:delete', description: 'Deletes an API key: whoever uses it is refused at once' },
  args: {
    start: { type: 'string', description: 'How the key begins, as key:list prints it, or its id' },
    ...panelArgument,
  },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store, auth }) => {
      keySettings(auth)
      const start = (await given(args.start, 'start', 'How it begins')).replace(/…$/, '')
      const found = (await store.apiKeys.of(null)).filter((key) => key.start === start || key.id === start)
      const [key] = found
      if (!key) throw new Stop(`There is no key that begins with "${start}"`)
      if (found.length > 1) throw new Stop(`${found.length} keys begin so: name one by its id, which key:list --json prints`)
      await store.apiKeys.remove(key.id)
      console.log(`Deleted the key "${key.name}" of ${key.username}`)
    }),
})
