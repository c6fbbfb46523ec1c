// npm start: install what is missing, build what is stale, serve the demo in this process.
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
    // Before anything that brings Drizzle.
    await import('../dist/preload.js')
    await import(pathToFileURL(join(root, 'build/examples/atlas/serve.js')).href)
  } catch (error) {
    throw explained(error)
  }
})

// The panel and the demo refuse a wrong setting by a plain Error that says what to change; that needs no stack, and all else does.
function explained(error) {
  if (error.code === 'ERR_SOCKET_BAD_PORT') return new Stop(`PORT is "${process.env.PORT}": set it to a number from 1 to 65535.`)
  return error.name === 'DeclarationError' || (error.name === 'Error' && error.code === undefined) ? new Stop(error.message) : error
}
