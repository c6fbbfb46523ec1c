// A panel next to an application's own routes on a plain `node:http` server.
import { createServer, type Server } from 'node:http'
import type { Panel } from 'daymark'

export function withNodeHttp(panel: Panel, below: string): Server {
  return createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    if (path === below || path.startsWith(`${below}/`)) panel.listener(request, response)
    else response.end('the application itself')
  })
}
