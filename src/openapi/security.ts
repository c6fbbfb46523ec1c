import type { House } from '../plugin/plugin.js'
import { url } from '../route/url.js'

/** The security schemes by name: the ways in which a caller can authenticate. */
export function securitySchemes({ id, realm, place }: House): Readonly<Record<string, object>> {
  const { authenticators, refreshes, services } = realm.auth
  const signIn = `\`POST ${url(place, 'authenticate')}\``
  const known = authenticators.flatMap((one): (readonly [string, object])[] => {
    const { name, cookies } = one
    if (cookies || name === 'session')
      return [
        [
          'session',
          {
            type: 'apiKey',
            in: 'cookie',
            name: `__Host-daymark-${id}`,
            description: `Set by ${signIn}. Over plain http, the name has no \`__Host-\` prefix.`,
          },
        ],
      ]
    if (name === 'open') return []
    if ('apiKeys' in one)
      return [
        [
          'apiKey',
          { type: 'http', scheme: 'bearer', description: `An API key of a user, from \`POST ${url(place, 'api-keys.create')}\`.` },
        ],
      ]
    return [
      ['bearer', { type: 'http', scheme: 'bearer', description: `The token from ${signIn}.`, ...(refreshes && { bearerFormat: 'JWT' }) }],
    ]
  })
  return services.panel === 'open' ? {} : Object.fromEntries(known)
}
