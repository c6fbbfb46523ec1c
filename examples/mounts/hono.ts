// A panel below a path of a Hono application.
import type { HttpBindings } from '@hono/node-server'
import type { Panel } from 'daymark'
import { Hono } from 'hono'

/** `c.env` says who sent the request, by whose address failed sign-ins are counted. */
export function withHono(panel: Panel, below: string): Hono<{ Bindings: HttpBindings }> {
  return new Hono<{ Bindings: HttpBindings }>()
    .all(below, (c) => panel.fetch(c.req.raw, c.env))
    .all(`${below}/*`, (c) => panel.fetch(c.req.raw, c.env))
    .get('/own', (c) => c.text('the application itself'))
}
