// Serves the posts of the database DB on HOST:PORT until it is told to stop, from the build in dist.
import 'daymark/preload'

// These import Drizzle, so they must come after the preload.
const [{ ChangedElsewhere, ChangedRows }, { postsPanel }, { ensurePosts, isPostgres }] = await Promise.all([
  import('./changing.mjs'),
  import('./panel.mjs'),
  import('./posts.mjs'),
])
const { DB = '.cache/posts-10000.db', HOST: host = '127.0.0.1', PORT: port = '3000', JWT_SECRET, CHANGED } = process.env
if (!isPostgres(DB)) ensurePosts(DB, 10_000)
// CHANGED makes the database, or also the page's rows, seem changed before each request.
const Changed = { elsewhere: ChangedElsewhere, rows: ChangedRows }[CHANGED]
const panel = await postsPanel(DB, {}, Changed && { $client: new Changed(DB) })
if (JWT_SECRET) await panel.ensureUser({ username: 'bench', password: 'bench-password', roles: ['admin'] })
const listening = await panel.listen({ host, port: Number(port) })
console.log(`${listening.url}${panel.route('crud.index', { resource: 'posts' })}`)

let stopping
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (stopping ??= listening.close().then(() => panel.close())))
