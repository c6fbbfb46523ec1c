import type { Reply } from '../face/face.js'
import type { App } from './app.js'
import type { Asked } from './asked.js'

/** What a panel answers on a port that is its own: nothing else stands at `/` there, so a browser that asks for it is led to the panel. Whoever else asks is told as ever. */
export function fronting(answer: App['answer'], panel: string): App['answer'] {
  return (request, peer) => {
    const reply = answer(request, peer)
    return isFront(request) ? Promise.resolve(reply).then((one) => leading(one, panel)) : reply
  }
}

/** Whether it is the path `/`, with a query or without. */
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
