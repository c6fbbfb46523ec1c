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

// In parallel: this process loads the panel while another one checks the data.
const [{ atlas }] = await Promise.all([import('./panel.js'), ensureSeeded(database)])
const panel = atlas(database, { open })
for (const { where, text } of panel.warnings) console.warn(`${where}: ${text}`)
const users = open ? [] : await ensureUsers(panel, password)
const listening = await panel.listen({ host, port })
let stopping: Promise<void> | undefined
async function stop(): Promise<void> {
  // A request or handler that runs longer may never end, so it is aborted.
  setTimeout(() => process.exit(1), 15_000).unref()
  await listening.close()
  await panel.close()
}
// `on`, not `once`: Ctrl+C arrives twice, from the terminal and from npm, and an unhandled second signal would kill the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (stopping ??= stop()))

console.log(`World Atlas: ${listening.url}${panel.route('index')}`)
if (open) console.log("Anybody on this machine may do anything here (auth: 'open'); no other machine gets in.")
else {
  const way = process.env.JWT_SECRET === undefined ? '' : ` by POST ${panel.route('authenticate')}, for a token (JWT_SECRET is set)`
  console.log(`Sign in${way} as ${users.join(', ')}; password: ${password === defaultPassword ? password : 'ADMIN_PASSWORD'}`)
}

// Ignores a database that is unreachable or already closed.
for (const { id, where, text } of await panel.examine().catch(() => []))
  if (id !== 'index-search' && id !== 'index-along') console.warn(`${where}: ${text}`)
