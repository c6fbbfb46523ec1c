// Seeds the World Atlas once, then serves it until it is told to stop.
import { ensureSeeded } from './ensure-seeded.js'
import { defaultPassword, ensureUsers } from './users.js'

const database = process.env.DATABASE_URL || 'sqlite:data/atlas.db'
const host = process.env.HOST || '127.0.0.1'
const port = Number(process.env.PORT || 3000)
const open = process.env.OPEN === '1'
const password = process.env.ADMIN_PASSWORD || defaultPassword
if (!open && password === defaultPassword && !/^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host))
  throw new Error(
    `Everybody knows the default password, so with it the demo listens on loopback only, not on ${host}. Set ADMIN_PASSWORD, or HOST=127.0.0.1`,
  )
if (password.length < 12) throw new Error('ADMIN_PASSWORD must have at least 12 characters')

// At the same time: the panel's code is read while another process looks whether all is there.
const [{ atlas }] = await Promise.all([import('./panel.js'), ensureSeeded(database)])
const panel = atlas(database, { open })
for (const { where, text } of panel.warnings) console.warn(`${where}: ${text}`)
const users = open ? [] : await ensureUsers(panel, password)
const listening = await panel.listen({ host, port })
let stopping: Promise<void> | undefined
async function stop(): Promise<void> {
  // What has not ended by then never may: it is broken off.
  setTimeout(() => process.exit(1), 15_000).unref()
  await listening.close()
  await panel.close()
}
// `on`, not `once`: a terminal's Ctrl-C arrives twice, from the terminal and again from npm, and the second would kill.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (stopping ??= stop()))

console.log(`World Atlas: ${listening.url}${panel.route('index')}`)
if (open) console.log("Anybody on this machine may do anything here (auth: 'open'); no other machine gets in.")
else {
  const way = process.env.JWT_SECRET === undefined ? '' : ` by POST ${panel.route('authenticate')}, for a token (JWT_SECRET is set)`
  console.log(`Sign in${way} as ${users.join(', ')}; password: ${password === defaultPassword ? password : 'ADMIN_PASSWORD'}`)
}

// A database that is away, or closed by now, is not asked.
for (const { id, where, text } of await panel.examine().catch(() => [])) if (id !== 'index-search') console.warn(`${where}: ${text}`)
