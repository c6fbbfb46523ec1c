import type { Reply } from '../face/face.js'
import type { App } from './app.js'
import type { Asked } from './asked.js'
import { targetOf } from './read.js'

/**
 * Adds a redirect to a panel that has a port to itself: from `/`, and from the path of its `url`, which a proxy may leave in the requests. A
 * browser would get a 404 there. Other clients still get theirs.
 */
export function fronting(answer: App['answer'], panel: string, mount: string): App['answer'] {
  const fronts = new Set(['/', mount, `${mount}/`])
  return (request, peer) => {
    const reply = answer(request, peer)
    return reads(request) && fronts.has(pathOf(request)) ? Promise.resolve(reply).then((one) => leading(one, panel)) : reply
  }
}

const reads = ({ method }: Asked) => method === 'GET' || method === 'HEAD'
const pathOf = ({ url }: Asked) => targetOf(url).path

function leading(reply: Reply, location: string): Reply {
  const { 'content-type': type = '', 'content-length': _, ...headers } = reply.headers
  return reply.status === 404 && type.startsWith('text/html')
    ? { ...reply, status: 303, headers: { ...headers, location }, body: null }
    : reply
}
