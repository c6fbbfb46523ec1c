// npm run soak: the durability tests in their long form, with limits on how soon a panel must be ready.
import { join } from 'node:path'
import { buildStale } from './build.mjs'
import { installMissing } from './install.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  await installMissing()
  await buildStale()
  return run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/processes/durability.test.ts'], {
    env: { SOAK: '1' },
  })
})
