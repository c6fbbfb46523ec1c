// npm run bench:serve: builds what is stale, then serves the posts in this process.
import { buildStale } from '../scripts/build.mjs'
import { installMissing } from '../scripts/install.mjs'
import { main, root } from '../scripts/run.mjs'

await main(async () => {
  process.chdir(root)
  await installMissing()
  await buildStale()
  await import('./serve-posts.mjs')
})
