import type { House } from '../plugin/plugin.js'
import { url } from '../route/url.js'

/** How a caller says who it is, by the names under which the document knows the ways. */
export function securitySchemes({ id, realm, place }: House): Readonly<Record<string, object>> {
  const { authenticators, refreshes, services } = realm.auth
  const signIn = `\`POST ${url(place, 'authenticate')}\``
  const known = authenticators.flatMap(({ name, cookies }): (readonly [string, object])[] => {
    if (cookies || name === 'session')
      return [
        [
          'session',
          {
            type: 'apiKey',
            in: 'cookie',
            name: `__Host-daymark-${id}`,
            description: `What ${signIn} sets; over plain http without \`__Host-\`.`,
          },
        ],
      ]
    if (name === 'open') return []
    return [['bearer', { type: 'http', scheme: 'bearer', description: `What ${signIn} gives.`, ...(refreshes && { bearerFormat: 'JWT' }) }]]
  })
  return services.panel === 'open' ? {} : Object.fromEntries(known)
}
