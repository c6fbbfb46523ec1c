import {
  accountEventsResource,
  apiKeys,
  apiKeysResource,
  authenticate,
  definePanel,
  folder,
  historyResource,
  type Panel,
  password,
  usersResource,
} from 'daymark'
import { authenticateApi, jwtAuth } from 'daymark/jwt'
import { oag } from 'daymark/oag'
import { xlsx } from 'daymark/xlsx'
import { Dashboard } from './dashboard.js'
import { Cities, Countries, Languages, LanguagesTrash, Stops } from './resources.js'

const viewers = ['admin', 'editor', 'reader']
const writers = ['admin', 'editor']
const can = { view: viewers, create: writers, update: writers, delete: ['admin'] }

/**
 * The demo, over a database URL as the panel takes it. Users sign in on a page; with `JWT_SECRET` set, clients sign in for tokens; `open`
 * lets anybody on this machine do anything.
 */
export function atlas(database: string, { open = false } = {}): Panel {
  const lists = [Countries, Cities, Languages, Stops]
  const resources = [...lists, LanguagesTrash]
  const documentation = { label: 'API documentation', href: '/docs', icon: 'code-bracket' } as const
  const plugins = [oag({ title: 'World Atlas' })]
  const files = folder(uploadsOf(database))
  const formats = [xlsx()]
  if (open)
    return definePanel({
      title: 'World Atlas',
      auth: 'open',
      database,
      files,
      formats,
      resources,
      plugins,
      home: Dashboard,
      menu: [Dashboard, ...lists, 'divider', documentation],
    })
  const auth =
    process.env.JWT_SECRET === undefined
      ? { auth: { middleware: authenticate(), pipelines: [password(), apiKeys()], viewAs: ['admin'] } }
      : { middleware: [], auth: { middleware: authenticateApi(), pipelines: [jwtAuth(), apiKeys()] } }
  const users = usersResource({ roles: viewers, history: ['admin'] })
  const keys = apiKeysResource()
  const events = accountEventsResource()
  const changes = historyResource()
  return definePanel({
    title: 'World Atlas',
    database,
    files,
    formats,
    home: Dashboard,
    resources: [...resources, users, keys, events, changes],
    menu: [Dashboard, ...lists, users, keys, events, changes, 'divider', documentation],
    // Who surveys cities, which is a job, is told when it has ended.
    notifications: true,
    shareViews: ['admin'],
    can,
    plugins,
    ...auth,
  })
}

/** Beside a database that is a file, so that whoever copies or removes one sees the other. */
function uploadsOf(database: string): string {
  const [, path] = /^(?:sqlite|file):(?!:)(.+)$/.exec(database) ?? []
  return path === undefined ? 'data/uploads' : `${path}-files`
}
