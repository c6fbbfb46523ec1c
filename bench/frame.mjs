// The HTML around the rows of our page, for a handwritten server to fill in.
import { ask, requestText } from './load.mjs'

/** The page of one of our servers around its rows, and a row's menu with placeholders for what differs. */
export async function frameOf({ port, path }) {
  const page = (await ask(port, requestText('GET', path, { accept: 'text/html' }))).body()
  const [before, rest] = page.split('<tbody>')
  const [rows, after] = rest.split('</tbody>')
  const [first] = rows.split('</tr>')
  const label = /aria-label="Select ([^"]*)"/.exec(first)[1]
  const key = /name="ids\[\]" value="([^"]*)"/.exec(first)[1]
  const actions = first
    .slice(first.indexOf('<td class="act">'))
    .replaceAll(label, '\0{label}\0')
    .replaceAll(`crud/${key}`, 'crud/\0{key}\0')
    .replaceAll(`form-page/${key}`, 'form-page/\0{key}\0')
    .replaceAll('-row-0', '-row-\0{row}\0')
    .split('\0')
  return { before: `${before}<tbody>`, after: `</tbody>${after}`, actions }
}
