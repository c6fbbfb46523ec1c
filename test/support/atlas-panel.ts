import { definePanel, type Page, type Panel } from 'daymark'
import { Cities, Countries, Languages } from '../../examples/atlas/panel.js'
import { atlasFixture } from './atlas.js'

export interface AtlasPanel {
  readonly panel: Panel
  readonly base: string
  close(): Promise<void>
}

/** The World Atlas on a port of its own, open to this machine, over a copy of its data; with `home`, on its own first page. */
export async function startAtlas({ home }: { readonly home?: Page } = {}): Promise<AtlasPanel> {
  const { path, remove } = await atlasFixture()
  const resources = [Countries, Cities, Languages]
  const panel = definePanel({ title: 'World Atlas', auth: 'open', database: `sqlite:${path}`, resources, ...(home && { home }) })
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
