import { defineCommand } from 'citty'
import { makeReset } from '../crud/account/reset-password.js'
import { accountOf, byCommand } from './account.js'
import { given } from './ask.js'
import { panelArgument, withPanel } from './panel-file.js'
import { Stop } from './stop.js'

export const userResetLink = defineCommand({
  meta: { name: 'user:reset-link', description: 'Makes a link by which a user sets a new password: once, within a day' },
  args: {
    username: { type: 'string', description: 'Whose' },
    origin: { type: 'string', description: "Where the panel is reached. Default: that of the panel's url, else http://127.0.0.1:3000" },
    ...panelArgument,
  },
  run: ({ args }) =>
    withPanel(args.panel, async ({ panel, store, auth, url }) => {
      const origin = args.origin ?? url ?? 'http://127.0.0.1:3000'
      if (!/^https?:/.test(origin) || !URL.canParse(origin)) throw new Stop(`"${origin}" is no address: say --origin https://panel.example`)
      // The path is the panel's own, so what more there is would be lost.
      if (args.origin !== undefined && !isOrigin(args.origin))
        throw new Stop(`"${origin}" has more than an origin: say --origin ${new URL(origin).origin}`)
      const account = await accountOf(store, await given(args.username, 'username', 'Username'))
      if (!account.active) throw new Stop(`${account.identity.username} is disabled: a link would not work`)
      const token = await makeReset(auth.services, account, byCommand)
      if (args.origin === undefined && url === null)
        console.error(`The panel has no \`url\`: if it is not reached at ${origin}, say --origin`)
      console.log(new URL(panel.route('password.reset', { token }), origin).href)
    }),
})

function isOrigin(address: string): boolean {
  const { href, origin } = new URL(address)
  return href === `${origin}/`
}
