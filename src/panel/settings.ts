import { is, Table } from 'drizzle-orm'
import type { AuthSettings } from '../auth/pipeline.js'
import type { TwoFactorOptions } from '../auth/two-factor.js'
import { english, type Messages } from '../base/messages.js'
import { a, faultsOf, type Setting, type Settings, settingFaults } from '../base/setting.js'
import type { Brand } from '../face/brand.js'
import type { Cors } from '../http/cors.js'
import { aPage, aResource, madeWith } from '../resource/model/sorts.js'
import { aFigure } from '../resource/pages/figure.js'
import type { MenuFacts, MenuLine } from '../resource/pages/menu.js'
import type { Problem } from '../resource/problem.js'
import { problemsOf } from '../resource/problem.js'
import type { UserModel } from '../store/panel/users.js'
import type { PanelSpec } from './spec.js'

const names = a.list(a.text, 'a list of texts')
const aDatabase = a.either(a.text, a.object)
const middleware = a.list(madeWith('a middleware, such as session()', 'name', 'cookies'))

// What these hold are secrets.
const ofTwoFactor: Settings<TwoFactorOptions> = {
  required: a.either(a.switch, a.list(a.text, 'a list of roles')),
  key: a.secret(a.text),
  previousKeys: a.secret(a.list(a.secret(a.text), 'a list of texts')),
}

const ofAuth: Settings<AuthSettings> = {
  middleware: madeWith('what authenticate() or authenticateApi() returns', 'challenge'),
  pipelines: a.list(madeWith('a pipeline, such as password()', 'name', 'cookies')),
  twoFactor: a.either(a.no, a.form(ofTwoFactor)),
  viewAs: a.value,
}

const ofColumns: Settings<UserModel['columns']> = {
  username: a.text,
  password: a.text,
  name: a.text,
  roles: a.text,
  active: a.text,
  timeZone: a.text,
  email: a.text,
  twoFactor: a.text,
}
const ofUsers: Settings<UserModel> = {
  model: a.sort('a Drizzle table', (given) => is(given, Table)),
  columns: a.form(ofColumns, 'username', 'password', 'roles'),
  identity: names,
}

/** What the settings of a panel may be. `a.value`: the check that the setting has of its own says more. */
export const ofPanels: Settings<PanelSpec> = {
  id: a.text,
  title: a.text,
  brand: a.form<Brand>({ name: a.text, logo: a.either(a.text, a.none), accent: a.either(a.text, a.none) }),
  resources: a.value,
  plugins: a.value,
  views: a.byName(a.function),
  pages: a.value,
  home: aPage,
  menu: a.value,
  database: a.secret(aDatabase),
  replica: a.form<NonNullable<PanelSpec['replica']>>({ database: a.secret(aDatabase), after: a.value }, 'database'),
  files: a.object,
  formats: a.value,
  webhooks: a.value,
  notifications: a.either(a.switch, a.form({ keep: a.value })),
  mail: a.value,
  url: a.text,
  prefix: a.object,
  middleware,
  auth: a.either(a.literal('open'), a.form(ofAuth, 'middleware', 'pipelines')),
  users: a.form(ofUsers, 'model', 'columns'),
  attempts: a.literal('memory', 'database'),
  trustProxy: a.either(a.no, a.number),
  cors: a.either(a.no, a.form<Cors>({ origins: a.list(a.text), maxAge: a.number }, 'origins')),
  can: a.value,
  shareViews: a.value,
  locale: a.text,
  messages: a.form(Object.fromEntries(Object.keys(english).map((key) => [key, a.text])) as Settings<Messages>),
  timeZone: a.text,
  limits: a.object,
  secret: a.value,
  observe: a.function,
  answered: a.function,
  log: a.function,
}

/** What the settings have wrong that nothing of a panel could be made of. */
export function wrongSettings(spec: PanelSpec): readonly Problem[] {
  return problemsOf(settingFaults(spec, ofPanels))
}

const ofEntries: Settings<MenuFacts> = { label: a.text, icon: a.value, badge: a.either(a.text, aFigure), can: a.value }
const ofLines: readonly (readonly [name: string, line: Setting])[] = [
  ['group', a.form({ group: a.text, items: a.list(a.value), can: a.value }, 'group', 'items')],
  ['page', a.form({ ...ofEntries, page: aPage }, 'page')],
  ['resource', a.form({ ...ofEntries, resource: aResource }, 'resource')],
  ['href', a.form({ ...ofEntries, href: a.text }, 'label', 'href')],
]

/** What a line of the menu has wrong, besides what it leads to. */
export function wrongLine(line: MenuLine): readonly string[] {
  const isMade = typeof line === 'object' && line !== null && ('components' in line || 'uriKey' in line)
  if (line === 'divider' || isMade) return []
  const [, setting] = ofLines.find(([name]) => typeof line === 'object' && line !== null && name in line) ?? []
  if (setting) return faultsOf(setting, line, '').map(({ at, text }) => `${at}: ${text}`)
  const said =
    typeof line === 'string'
      ? `"${line}"`
      : line === null || typeof line !== 'object'
        ? String(line)
        : `{ ${Object.keys(line).join(', ')} }`
  return [`${said} is not a line: name a resource, a page, a group, a link or 'divider'`]
}

/** What is in the lists of a panel. */
export const listed: { readonly [name: string]: Setting | undefined } = {
  pages: aPage,
  formats: madeWith('a format of files, such as xlsx()', 'name', 'write'),
  plugins: a.either(a.object, a.function),
}
