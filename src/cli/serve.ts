import { defineCommand } from 'citty'
import { loadPanel, namedPanel, panelFirst } from './panel-file.js'
import { setting } from './setting.js'
import { reasonOf, Stop } from './stop.js'
import { endWithWatcher } from './watched.js'

export const serve = defineCommand({
  meta: { name: 'serve', description: 'Serves a panel until it is told to stop' },
  args: {
    ...panelFirst,
    port: { type: 'string', description: 'Default: PORT, else 3000' },
    host: { type: 'string', description: 'Default: HOST, else 127.0.0.1' },
    drain: { type: 'string', description: 'Seconds to go on serving after a signal, while /ready says 503. Default: DRAIN, else 0' },
    watch: { type: 'boolean', description: 'Starts it anew when a source below this folder changes' },
  },
  async run({ args }) {
    if (args.watch) {
      const { watch } = await import('./watch.js')
      return watch(process.argv.slice(2).filter((one) => one !== '--watch'))
    }
    const port = wholeOf('port', args.port ?? setting('PORT') ?? '3000', 65_535)
    const drain = wholeOf('number of seconds', args.drain ?? setting('DRAIN') ?? '0', 3600)
    const { panel, own } = await loadPanel(namedPanel(args))
    for (const { where, text } of panel.warnings) console.warn(`${where}: ${text}`)
    const listening = await panel.listen({ host: args.host ?? setting('HOST') ?? '127.0.0.1', port }).catch((why: Error) => {
      throw new Stop(why.message)
    })
    let stopping: Promise<void> | undefined
    const stop = async () => {
      // A handler may run for long or forever. What it has not committed is rolled back.
      setTimeout(
        () => {
          console.error('Stopped without waiting for requests that are still running')
          process.exit(1)
        },
        drain * 1000 + patience,
      )
      await listening.close({ drain })
      await panel.close()
      // Anything else the panel's file has started would keep the process alive.
      process.exit()
    }
    const stopOnce = () => (stopping ??= stop())
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopOnce)
    endWithWatcher(stopOnce)
    console.log(`${panel.title}: ${listening.url}${panel.route('index')}`)
    // On one's own machine, the line above has an address at which browsers make no passkeys.
    const origin = own.realm.auth.services.relyingParty?.origin ?? listening.url
    if (origin !== listening.url) console.log(`For passkeys, open ${origin}${panel.route('index')}: they work at the panel's url alone`)
    if (own.realm.auth.signsIn && own.realm.auth.services.openIds.length === 0)
      void own.store?.admin?.isEmpty().then(
        (isEmpty) => {
          if (isEmpty) console.warn('Nobody can sign in yet: npx daymark user:create --username you@example.com')
        },
        // As below.
        () => {},
      )
    // `daymark doctor` reports these, too; here they are left out, since there may be no index that could serve them.
    void panel.examine().then(
      (found) => {
        for (const { id, where, text } of found) if (id !== 'index-search' && id !== 'index-along') console.warn(`${where}: ${text}`)
      },
      // Not retried: each request that needs the database reports the error.
      (thrown: Error) => console.error(reasonOf(thrown)),
    )
  },
})

// Requests in flight have the first ten seconds of it.
const patience = 15_000

function wholeOf(what: string, text: string, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) > most) throw new Stop(`"${text}" is not a ${what}: give a number from 0 to ${most}`)
  return Number(text)
}
