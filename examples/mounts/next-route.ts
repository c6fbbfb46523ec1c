// A panel as a route handler of Next.js: app/back-office/[[...path]]/route.ts
// next.config.mjs has `serverExternalPackages: ['daymark']`: bundled, the panel would not find its own files.
// Next does not say who sends a request: behind a proxy, set `trustProxy`.
import type { Panel } from 'daymark'

export function routeHandlers(panel: Panel) {
  const handle = (request: Request) => panel.fetch(unencoded(request))
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}

/** Next drops the `Content-Encoding` of an answer, so that a browser could not read a compressed script. It compresses by itself. */
function unencoded(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.delete('accept-encoding')
  return new Request(request, { headers })
}
