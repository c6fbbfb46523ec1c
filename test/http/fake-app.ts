import { openAuth } from '../../src/auth/open.js'
import { english, translator } from '../../src/base/messages.js'
import { scopedStores } from '../../src/crud/action/scoped-store.js'
import type { PanelCall, Realm } from '../../src/crud/call/call.js'
import type { Outcome } from '../../src/crud/outcomes/outcome.js'
import { makeIdempotency } from '../../src/crud/realm/idempotency.js'
import { makeJobs } from '../../src/crud/realm/jobs.js'
import { makeReadiness } from '../../src/crud/realm/readiness.js'
import type { Verb } from '../../src/crud/verbs.js'
import type { Face, Presenter } from '../../src/face/face.js'
import { type App, createApp, type LogEntry } from '../../src/http/app.js'
import { defaultLimits, type Limits } from '../../src/http/limits.js'
import type { AppOptions } from '../../src/http/request-context.js'
import { jsonFace } from '../../src/json/present.js'
import type { Method, Route } from '../../src/route/routes.js'
import { memoryStore } from '../../src/store/memory.js'
import { memoryJobs } from '../../src/store/panel/jobs.js'

/** A door over verbs that do what a test needs: `/admin/{name}` runs the verb of that name, whatever the method. */
export function fakeApp(
  runs: Readonly<Record<string, (call: PanelCall) => Promise<Outcome>>>,
  {
    limits,
    present,
    ...more
  }: Omit<Partial<AppOptions>, 'limits'> & { readonly limits?: Partial<Limits>; readonly present?: Partial<Presenter> } = {},
): App & { readonly log: LogEntry[] } {
  const log: LogEntry[] = []
  const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const routes = Object.keys(runs).map(
    (name): Route => ({ name, methods, path: `/${name}`, verb: name, ability: 'signedIn', body: 'fields', query: 'list' }),
  )
  const verbs = Object.fromEntries(Object.entries(runs).map(([name, run]): [string, Verb] => [name, { on: 'panel', run, ends: [] }]))
  const json: Face = { ...jsonFace, present: { ...jsonFace.present, ...present } }
  const app = createApp({
    realm: emptyRealm,
    place: { mount: '', prefix: { panel: 'admin', resource: 'resource', page: 'page' } },
    views: new Map(),
    assetUrl: () => null,
    brand: { name: 'Fake', logo: null, accent: null },
    routes,
    verbs,
    faces: { json, html: { ...json, name: 'html' } },
    id: 'admin',
    cookies: true,
    network: { origin: null, proxies: 0, allowInsecure: false },
    cors: null,
    cache: null,
    hosts: 'loopback',
    secret: () => 'only for tests',
    limits: { ...defaultLimits, ...limits },
    log: (entry) => log.push(entry),
    isNewOutage: () => true,
    telemetry: null,
    ...more,
  })
  return { ...app, log }
}

const emptyRealm: Realm = {
  resources: new Map(),
  pages: new Map(),
  home: null,
  shareViews: null,
  history: null,
  comments: null,
  notifications: null,
  jobUrl: (id: string) => id,
  commentUrl: (resourceUri, resourceItem, id) => [resourceUri, resourceItem, id].join('/'),
  accountEvents: null,
  files: null,
  formats: new Map(),
  webhooks: null,
  mails: null,
  passwordUrl: (token) => token,
  menu: null,
  moreMenu: [],
  links: new Map(),
  throughs: new Map(),
  replica: null,
  can: {},
  t: translator(english),
  locale: 'en',
  languages: [],
  languageChoices: [],
  timeZone: 'UTC',
  storeOf: () => {
    throw new Error('There are no stores here')
  },
  store: memoryStore(),
  once: makeIdempotency(),
  readiness: makeReadiness([]),
  jobs: makeJobs(memoryJobs(), () => {}),
  auth: openAuth(),
  scoped: scopedStores,
}
