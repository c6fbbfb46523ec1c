import { definePanel, folder, type Page, type Panel, type Resource } from 'daymark'
import { Cities, Countries, Languages, Stops } from '../../examples/atlas/resources.js'
import { atlasFixture } from './atlas.js'

export interface AtlasPanel {
  readonly panel: Panel
  readonly base: string
  close(): Promise<void>
}

interface Options {
  /** The panel's first page, instead of the list of its resources. */
  readonly home?: Page
  /** Resources of a test's own. */
  readonly more?: readonly Resource[]
}

/** The World Atlas on a port of its own, open to this machine, over a copy of its data. */
export async function startAtlas({ home, more = [] }: Options = {}): Promise<AtlasPanel> {
  const { path, remove } = await atlasFixture()
  const resources = [Countries, Cities, Languages, Stops, ...more]
  const panel = definePanel({
    title: 'World Atlas',
    auth: 'open',
    database: `sqlite:${path}`,
    files: folder(`${path}-files`),
    resources,
    ...(home && { home }),
  })
  const listening = await panel.listen({ port: 0 })
  return {
    panel,
    base: listening.url,
    async close() {
      await listening.close()
      await panel.close()
      remove()
    },
  }
}
