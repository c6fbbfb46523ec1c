import type { Reply } from '../face/face.js'
import type { App } from './app.js'
import type { IncomingRequest } from './incoming.js'

/**
 * Adds a redirect to a panel that has a port to itself: from `/`, and from the path of its `url`, which a proxy may leave in the requests. A
 * browser would get a 404 there. Other clients still get theirs.
 */
export function withRootRedirect(answer: App['answer'], panel: string, mount: string): App['answer'] {
  return (request, peer) => {
    const reply = answer(request, peer)
    return isFront(request, mount) ? Promise.resolve(reply).then((one) => leading(one, panel)) : reply
  }
}

function isFront({ url, method }: IncomingRequest, mount: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const start = url.indexOf('/', 'https://'.length)
  return isAll(url, start, '') || isAll(url, start, mount)
}

/** Whether the path of a URL, which begins there, is this one, with or without a slash behind it. Each request asks: it cuts nothing out. */
function isAll(url: string, start: number, path: string): boolean {
  if (!url.startsWith(path, start)) return false
  const end = start + path.length
  const rest = url[end] === '/' ? end + 1 : end
  return rest === url.length || url[rest] === '?'
}

function leading(reply: Reply, location: string): Reply {
  const { 'content-type': type = '', 'content-length': _, ...headers } = reply.headers
  return reply.status === 404 && type.startsWith('text/html')
    ? { ...reply, status: 303, headers: { ...headers, location }, body: null }
    : reply
}
