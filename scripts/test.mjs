// npm test: installs what is missing, including a browser, builds what is stale, runs every test. Arguments go to vitest.
import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { buildStale } from './build.mjs'
import { installMissing } from './install.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  await installMissing()
  const browser = await findBrowser()
  await buildStale()
  return run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)], {
    env: { CHROMIUM_PATH: browser },
  })
})
