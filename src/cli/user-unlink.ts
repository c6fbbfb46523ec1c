import { defineCommand } from 'citty'
import { accountOf, byCommand } from './account.js'
import { given } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'
import { Stop } from './stop.js'

export const userUnlink = defineCommand({
  meta: {
    name: 'user:unlink',
    description: 'Forgets whom a user is at OpenID providers, such as after a change of their account there, and ends every session',
  },
  args: { username: { type: 'string', description: 'Whose' }, ...panelArgument },
  run: ({ args }) =>
    withPanel(args.panel, async ({ store }) => {
      const { identity } = await accountOf(store, await given(args.username, 'username', 'Username'))
      const { id, username } = identity
      const links = await store.openIdLinks.of(id)
      if (links.length === 0) throw new Stop(`${username} has never signed in with a provider`)
      for (const link of links)
        await store.openIdLinks.remove(link, { ...byCommand, event: 'providerUnlinked', user: identity, detail: link.issuer })
      await store.sessions.removeOf(id, null)
      console.log(`Forgot whom ${username} is at ${links.map(({ issuer }) => issuer).join(', ')}`)
    }),
})
