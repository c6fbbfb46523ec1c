// A panel below a path of a Fastify application.
import type { Panel } from 'daymark'
import Fastify, { type FastifyInstance } from 'fastify'

/** In its own scope without body parsing: the panel reads bodies itself. */
export async function withFastify(panel: Panel, below: string): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      for (const path of ['/', '/*']) {
        scope.all(path, (request, reply) => {
          reply.hijack()
          panel.listener(request.raw, reply.raw)
        })
      }
    },
    { prefix: below },
  )
  app.get('/own', async () => 'the application itself')
  return app
}
