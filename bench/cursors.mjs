// Where the page at 90 % depth begins.
import { postsPanel } from './panel.mjs'

/** The cursors at that depth for the handwritten servers and for ours, which an uncounted list returns on every page. */
export async function cursorsAt90(database, rows) {
  const panel = await postsPanel(database, { simplePaginate: true })
  const page = Math.floor((rows * 0.9) / 25)
  const url = `http://localhost${panel.route('crud.index', { resource: 'posts', query: { page } })}`
  const { data, meta } = await (await panel.fetch(new Request(url, { headers: { accept: 'application/json' } }))).json()
  await panel.close()
  return { byHand: Buffer.from(JSON.stringify([data.at(-1).id])).toString('base64url'), ours: meta.nextCursor }
}
