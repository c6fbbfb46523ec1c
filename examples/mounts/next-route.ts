// A panel as a route handler for frameworks with web Requests, such as Next.js: app/back-office/[[...path]]/route.ts
// Next does not say who sends a request: behind a proxy, set `trustProxy`.
import type { Panel } from 'daymark'

export function routeHandlers(panel: Panel) {
  const handle = (request: Request) => panel.fetch(request)
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}
