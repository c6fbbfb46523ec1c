import type { Reply } from '../face/face.js'
import type { App } from './app.js'
import type { Asked } from './asked.js'

/** Adds a redirect from `/` to a panel that has a port to itself: a browser would get a 404 there. Other clients still get theirs. */
export function fronting(answer: App['answer'], panel: string): App['answer'] {
  return (request, peer) => {
    const reply = answer(request, peer)
    return isFront(request) ? Promise.resolve(reply).then((one) => leading(one, panel)) : reply
  }
}

/** Whether the request is for `/`, with or without a query. */
function isFront({ url, method }: Asked): boolean {
  const path = url.indexOf('/', 'https://'.length)
  return (path === url.length - 1 || url[path + 1] === '?') && (method === 'GET' || method === 'HEAD')
}

function leading(reply: Reply, location: string): Reply {
  const { 'content-type': type = '', 'content-length': _, ...headers } = reply.headers
  return reply.status === 404 && type.startsWith('text/html')
    ? { ...reply, status: 303, headers: { ...headers, location }, body: null }
    : reply
}
