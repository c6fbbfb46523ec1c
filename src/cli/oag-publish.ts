import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { defineCommand } from 'citty'
import { Stop } from './stop.js'

const path = 'config/oag.ts'

const config = `import type { OagOptions } from 'daymark/oag'

// definePanel({ plugins: [oag(config)] }), with oag from 'daymark/oag'
export const config: OagOptions = {
  // Of the document and of its page.
  title: 'Docs',
  // Where \`daymark oag:generate\` writes; oag.json stands beside it.
  path: 'resources/oag.yaml',
  // Where the document is served.
  route: 'oag.json',
  // The page at /docs: a name of definePanel({ views }).
  view: 'oag::docs',
  // 'signedIn': only for users who are signed in.
  access: 'public',
  // The version of your API.
  version: '1.0.0',
  // license: { name: 'MIT', identifier: 'MIT' },
}
`

export const oagPublish = defineCommand({
  meta: { name: 'oag:publish', description: `Writes the settings of the documentation to ${path}` },
  args: { force: { type: 'boolean', description: 'Over what stands there' } },
  run({ args }) {
    if (existsSync(path) && !args.force) throw new Stop(`${path} is there already: --force writes over it`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, config)
    console.log(`Wrote ${path}. In the panel: plugins: [oag(config)], with oag from 'daymark/oag'`)
  },
})
