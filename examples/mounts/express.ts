// A panel below a path of an Express application.
import type { Panel } from 'daymark'
import express, { type Express } from 'express'

/** Must come before any body parser: the panel reads bodies itself. */
export function withExpress(panel: Panel, below: string): Express {
  const app = express()
  app.use(below, panel.listener)
  app.use(express.json())
  app.get('/own', (_, response) => void response.send('the application itself'))
  return app
}
