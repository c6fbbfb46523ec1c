import { defineCommand } from 'citty'
import { keyText, startOf } from '../auth/api-key.js'
import { panelTokenHash } from '../auth/token-hash.js'
import { byCommand, keySettings } from './account.js'
import { given } from './ask.js'
import { lineOf } from './line.js'
import { panelArgument, withPanel } from './panel-file.js'
import { Stop } from './stop.js'

export const keyDelete = defineCommand({
  meta: { name: 'key:delete', description: 'Deletes an API key: whoever uses it is refused at once' },
  args: {
    start: { type: 'string', description: 'The key, how it begins, as key:list prints it, or its id' },
    ...panelArgument,
  },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store, auth }) => {
      keySettings(auth)
      const told = (await given(args.start, 'start', 'How it begins')).replace(/…$/, '')
      // Of a whole key, as one finds it where it has leaked, no more than its beginning is printed.
      const whole = panelTokenHash(auth.services, told)
      const all = (await store.apiKeys.of(null)).filter((key) => key.start === startOf(told) || key.id === told)
      const exact = all.filter((key) => key.id === whole)
      const found = exact.length > 0 ? exact : all
      const [key] = found
      if (!key) throw new Stop(`There is no key that begins with "${startOf(told)}"`)
      if (found.length > 1) throw new Stop(`${found.length} keys begin so: name one by its id, which key:list --json prints`)
      const user = { id: key.userId, username: key.username }
      await store.apiKeys.remove(key.id, { ...byCommand, event: 'apiKeyDeleted', user, detail: keyText(key) })
      console.log(lineOf([`Deleted the key "${key.name}" of ${key.username}`]))
    }),
})
