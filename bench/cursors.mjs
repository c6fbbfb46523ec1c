// Where the page at 90 % depth begins.
import { postsPanel } from './panel.mjs'

/** A cursor for a server by hand, and ours. A list that is not counted gives them for every page. */
export async function cursorsAt90(database, rows) {
  const panel = await postsPanel(database, { simplePaginate: true })
  const page = Math.floor((rows * 0.9) / 25)
  const url = `http://localhost${panel.route('crud.index', { resource: 'posts', query: { page } })}`
  const { data, meta } = await (await panel.fetch(new Request(url, { headers: { accept: 'application/json' } }))).json()
  await panel.close()
  return { byHand: Buffer.from(JSON.stringify([data.at(-1).id])).toString('base64url'), ours: meta.nextCursor }
}
