// Serves the posts of the SQLite file named by DB on HOST:PORT, until it is told to stop. It runs what stands in dist.
import 'daymark/preload'

// These bring Drizzle: only now.
const [{ ChangedElsewhere, ChangedRows }, { postsPanel }, { ensurePosts, isPostgres }] = await Promise.all([
  import('./changing.mjs'),
  import('./panel.mjs'),
  import('./posts.mjs'),
])
const { DB = '.cache/posts-10000.db', HOST: host = '127.0.0.1', PORT: port = '3000', JWT_SECRET, CHANGED } = process.env
if (!isPostgres(DB)) ensurePosts(DB, 10_000)
// Before each request somebody else seems to have changed something in the database; or the rows of the page, too.
const Changed = { elsewhere: ChangedElsewhere, rows: ChangedRows }[CHANGED]
const panel = await postsPanel(DB, {}, Changed && { $client: new Changed(DB) })
if (JWT_SECRET) await panel.ensureUser({ username: 'bench', password: 'bench-password', roles: ['admin'] })
const listening = await panel.listen({ host, port: Number(port) })
console.log(`${listening.url}${panel.route('crud.index', { resource: 'posts' })}`)

let stopping
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (stopping ??= listening.close().then(() => panel.close())))
