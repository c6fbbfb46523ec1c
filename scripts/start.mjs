// npm start: installs what is missing, builds what is stale, serves the demo in this process.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildStale } from './build.mjs'
import { installMissing } from './install.mjs'
import { main, root, Stop } from './run.mjs'

await main(async () => {
  process.chdir(root)
  await installMissing()
  await buildStale()
  try {
    // Must come before any import of Drizzle.
    await import('../dist/preload.js')
    await import(pathToFileURL(join(root, 'build/examples/atlas/serve.js')).href)
  } catch (error) {
    throw explained(error)
  }
})

// The panel and the demo reject a wrong setting with a plain Error that says what to change. Those need no stack; others do.
function explained(error) {
  if (error.code === 'ERR_SOCKET_BAD_PORT') return new Stop(`PORT is "${process.env.PORT}": set it to a number from 1 to 65535.`)
  return error.name === 'DeclarationError' || (error.name === 'Error' && error.code === undefined) ? new Stop(error.message) : error
}
