import { isDeepStrictEqual } from 'node:util'
import { urlFault } from '../auth/relying-party.js'
import { iconFault } from '../base/icon-paths.js'
import { isTimeZone } from '../field/zone.js'
import { defaultLimits } from '../http/limits.js'
import { checkPages } from '../resource/check-pages.js'
import { checkPolicies, checkPolicy } from '../resource/check-written.js'
import { uriOf } from '../resource/declared.js'
import type { MenuLine } from '../resource/menu.js'
import { type Model, modelOf } from '../resource/model.js'
import type { Page } from '../resource/own-page.js'
import { placeOf } from '../resource/place.js'
import type { Problem } from '../resource/problem.js'
import type { Resource } from '../resource/resource.js'
import { type Names, unknownIn } from '../resource/unknown.js'
import { webhookFaults } from '../resource/webhook.js'
import { eq } from '../store/panel/table.js'
import { apiKeys, deliveries, history, users } from '../store/panel/tables.js'
import { givable } from '../store/panel/users-resource.js'
import { databaseFault } from '../store/sql/open.js'
import type { SqlStore } from '../store/sql/sql-store.js'
import { tableFault } from '../store/sql/twin.js'
import { checkAuthForm } from './check-auth.js'
import type { PanelSpec } from './spec.js'

const settings: Names<PanelSpec> = {
  id: true,
  title: true,
  brand: true,
  resources: true,
  plugins: true,
  views: true,
  pages: true,
  home: true,
  menu: true,
  database: true,
  replica: true,
  files: true,
  formats: true,
  webhooks: true,
  mail: true,
  url: true,
  prefix: true,
  middleware: true,
  auth: true,
  users: true,
  attempts: true,
  trustProxy: true,
  cors: true,
  can: true,
  locale: true,
  messages: true,
  timeZone: true,
  limits: true,
  secret: true,
  observe: true,
  log: true,
}

/**
 * Checks that no list of the panel contains `undefined`. The compiler cannot see it: when two files import each other, one of them reads
 * the other's exports before they have values. Nor can the panel go on with another form of `auth`.
 */
export function checkListed(spec: PanelSpec): Problem[] {
  const { resources, pages = [], menu = [], plugins = [], formats = [], webhooks = [] } = spec
  const problems: Problem[] = []
  const say = (id: string, where: string, text: string) => problems.push({ id, where, text })
  const brought = (Array.isArray(plugins) ? plugins : []).flatMap((one, i) => {
    const { resources = [], pages = [], menu = [], shows = [] } = one ?? {}
    return Object.entries({ resources, pages, menu, shows }).map(([name, list]) => [`plugins[${i}].${name}`, list] as const)
  })
  for (const [at, list] of [
    ...Object.entries({ resources, pages, menu, plugins, formats, webhooks } as Readonly<Record<string, unknown>>),
    ...brought,
  ]) {
    const all: readonly unknown[] = Array.isArray(list) ? list : []
    if (list !== all) say('listed', at, 'must be a list')
    for (const [i, one] of all.entries()) {
      const isThere = one !== undefined && one !== null
      if (!isThere) say('listed', `${at}[${i}]`, `is ${one}: name what is there, from a file that doesn't import this one`)
      else if (at.endsWith('resources') && !(typeof one === 'object' && 'written' in one))
        say('listed', `${at}[${i}]`, 'is no resource: name what defineResource gives')
    }
  }
  checkAuthForm(spec, say)
  return problems
}

/** What is wrong with the panel's settings. Its resources are checked elsewhere. */
export function checkPanel(spec: PanelSpec): Problem[] {
  const problems: Problem[] = []
  const say = (id: string, where: string, text: string) => problems.push({ id, where, text })
  for (const [name, text] of unknownIn(spec, settings)) say('setting-unknown', name, text)
  checkPolicies('can', spec.can, say)
  checkPages(pagesOf(spec), new Map(spec.resources.map((resource) => [resource.uriKey, resource])), say)
  checkMenu(spec, say)
  const named = [['database', spec.database], ...spec.resources.map(({ uriKey, database }) => [`${uriKey}.database`, database])] as const
  for (const [where, url] of named) {
    const fault = typeof url === 'string' ? databaseFault(url) : null
    if (fault !== null) say('database', where as string, fault)
  }
  if (spec.database === undefined) {
    const homeless = spec.resources.filter((resource) => !resource.database && !resource.ownStore).map((resource) => resource.uriKey)
    if (homeless.length > 0)
      say('database', 'database', `name the database of ${homeless.join(', ')}: a DATABASE_URL or a Drizzle database`)
    if (spec.auth !== 'open')
      say('auth-database', 'database', "name the database that holds the panel's own tables: its users and sessions")
  }
  const { database, after = 10 } = spec.replica ?? {}
  if (spec.replica && (spec.database === undefined || (typeof database === 'string' && !/^postgres(?:ql)?:/.test(database))))
    say(
      'replica',
      'replica.database',
      'a replica needs a PostgreSQL `database`, and is given as a URL or a Drizzle database over node-postgres',
    )
  if (!Number.isSafeInteger(after) || after < 2) say('replica', 'replica.after', `${after} is not a whole number of seconds, of at least 2`)
  // What is wrong with a trash there is wrong with its resource, too.
  const managers = spec.resources.filter(({ trashOf }) => trashOf === null)
  const place = (resource: Resource) => placeOf(resource, spec.database)
  const isElsewhere = (resource: Resource) => spec.database === undefined || place(resource) !== spec.database
  for (const resource of managers)
    if (resource.history !== false && isElsewhere(resource))
      say(
        'history-database',
        `${resource.uriKey}.history`,
        "a history is kept in the transaction of the write, so it needs a table in the panel's `database`; remove `history`",
      )
  for (const resource of managers)
    for (const field of resource.fields.values()) {
      const where = `${resource.uriKey}.fields.${field.key}`
      if (!field.kind.file) continue
      if (!spec.files) say('files', where, "say where files are kept: `files: folder('uploads')`")
      if (isElsewhere(resource))
        say(
          'files-database',
          where,
          "which files nobody holds is kept in the transaction of the write, so it needs a table in the panel's `database`",
        )
    }
  for (const resource of managers)
    for (const { table, inForm } of resource.related) {
      const other = managers.find(({ uriKey }) => uriKey === uriOf(table.resource))
      if (inForm !== null && other && place(resource) !== place(other))
        say(
          'nested-database',
          `${resource.uriKey}.related.${table.name}`,
          'what is edited in the form is saved in its transaction, so it has to be in the same database',
        )
    }
  for (const [where, text] of webhookFaults(spec.webhooks ?? [], spec.resources)) say('webhook', where, text)
  const id = spec.id ?? 'admin'
  for (const { model, uriKey, records } of spec.resources)
    if (model.table === deliveries && !isDeepStrictEqual(records, eq('panel', id)))
      say('webhook', uriKey, `shows the messages of another panel: webhooksResource({ panel: '${id}' })`)
  const takesKeys = typeof spec.auth === 'object' && spec.auth.pipelines.some((one) => one.apiKeys)
  for (const { model, uriKey, records } of spec.resources) {
    if (model.table !== apiKeys) continue
    if (!takesKeys) say('api-keys', uriKey, 'this panel takes no API keys: add apiKeys() to `auth.pipelines`, or remove apiKeysResource()')
    else if (!isDeepStrictEqual(records, eq('panel', id)))
      say('api-keys', uriKey, `shows the keys of another panel: apiKeysResource({ panel: '${id}' })`)
  }
  for (const [i, { of }] of (spec.webhooks ?? []).entries())
    for (const resource of spec.resources)
      if (Array.isArray(of) && of.includes(resource) && isElsewhere(resource))
        say(
          'webhook-database',
          `webhooks[${i}].of`,
          `what it is told of "${resource.uriKey}" is stored in the transaction of the write, so it needs a table in the panel's \`database\``,
        )
  const storage = spec.files as Readonly<Record<string, unknown>> | undefined
  const lacking = storage && ['put', 'get', 'remove'].filter((name) => typeof storage[name] !== 'function')
  if (lacking && lacking.length > 0) say('files', 'files', `is no storage: it has no ${lacking.join(', ')}. Give folder('uploads')`)
  if (spec.auth === 'open') {
    for (const { model, uriKey } of spec.resources) {
      if (model.table === users)
        say('users-open', uriKey, "with auth: 'open' the panel has no users and no table of them; remove usersResource()")
      if (model.table === history)
        say('history-open', uriKey, "with auth: 'open' nobody is known who could have changed anything; remove historyResource()")
    }
  }
  if (spec.mail !== undefined) {
    if (typeof spec.mail !== 'function')
      say('mail', 'mail', 'is no function: give one that sends a mail, `async ({ to, subject, text }) => …`')
    if (spec.auth === 'open') say('mail', 'mail', "with auth: 'open' there are no users to write to; remove `mail`")
    else if (spec.auth && !spec.auth.pipelines.some((one) => one.signIn))
      say('mail', 'mail', 'nobody signs in with a password here, of which the mails tell; remove `mail`')
    else if (spec.url === undefined) say('mail', 'url', 'the links in mails lead there: give the public URL of the panel')
  }
  checkOpenIds(spec, say)
  checkRoles(spec, say)
  checkPasskeys(spec, say)
  checkUsers(spec, say)
  if (spec.id !== undefined && !/^[a-z0-9-]+$/.test(spec.id)) say('id', 'id', `"${spec.id}" must be lower-case letters, digits and hyphens`)
  if (spec.trustProxy && (!Number.isSafeInteger(spec.trustProxy) || spec.trustProxy < 0))
    say('trust-proxy', 'trustProxy', 'give the number of proxies')
  for (const origin of spec.cors ? spec.cors.origins : []) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      say('cors', 'cors.origins', `"${origin}" is not an origin, such as https://app.example.com`)
  }
  if (spec.brand?.accent && !/^#[0-9a-f]{6}$/i.test(spec.brand.accent))
    say('brand-accent', 'brand.accent', `"${spec.brand.accent}" is not a colour of the form #rrggbb`)
  if (spec.timeZone !== undefined && !isTimeZone(spec.timeZone)) say('time-zone', 'timeZone', `"${spec.timeZone}" is not an IANA time zone`)
  if (spec.locale !== undefined && !isLocale(spec.locale))
    say('locale', 'locale', `"${spec.locale}" is not a BCP 47 language tag, such as en or pt-BR`)
  if (spec.url !== undefined && !/^https?:\/\//i.test(spec.url))
    say('url', 'url', `"${spec.url}" is not an absolute URL with http or https`)
  for (const [name, text] of Object.entries(spec.prefix ?? {})) {
    if (!['panel', 'resource', 'page'].includes(name)) say('prefix', `prefix.${name}`, 'unknown prefix. Valid: panel, resource, page')
    else if (typeof text !== 'string' || !(/^[\w-]+$/.test(text) || (text === '' && name === 'panel')))
      say('prefix', `prefix.${name}`, `"${text}" is not a path segment: letters, digits, - and _`)
  }
  for (const [name, most] of Object.entries(spec.limits ?? {})) {
    if (!Object.hasOwn(defaultLimits, name))
      say('limits', `limits.${name}`, `unknown limit. Valid: ${Object.keys(defaultLimits).join(', ')}`)
    else if (!Number.isSafeInteger(most) || most < 1) say('limits', `limits.${name}`, `${most} must be a whole number of at least 1`)
  }
  if (spec.secret !== undefined && (typeof spec.secret !== 'string' || spec.secret.trim() === ''))
    say('secret', 'secret', 'is blank: leave it out, and the panel makes one and keeps it')
  return problems
}

/**
 * What is wrong with the tables of resources and users: that their database is another one than they are made for. It asks the stores, which
 * alone know what a Drizzle database is.
 */
export function checkTables({ database, resources, users }: PanelSpec, storeOf: (database: string | object) => SqlStore): Problem[] {
  const problems: Problem[] = []
  const say = (id: string, where: string, text: string) => problems.push({ id, where, text })
  const check = (where: string, model: Model, database: string | object | undefined) => {
    const fault = database === undefined ? null : tableFault(storeOf(database).dialect, model)
    if (fault !== null) say('table-database', where, fault)
  }
  for (const { uriKey, model, ownStore, database: own } of resources) if (!ownStore) check(`${uriKey}.model`, model, own ?? database)
  if (users) check('users.model', modelOf(users.model), database)
  return problems
}

// What is stored has some 900, if it is encrypted.
const longestFactor = 1000

/** What is wrong with the users that OpenID providers bring. */
function checkOpenIds({ users: own, resources, auth }: PanelSpec, say: (id: string, where: string, text: string) => void): void {
  const openIds = typeof auth === 'object' ? auth.pipelines.flatMap(({ openId }) => openId ?? []) : []
  const known = givable(resources)
  for (const { id, create } of own ? [] : openIds) {
    const strange = known ? create?.find((role) => !known.includes(role)) : undefined
    if (strange !== undefined)
      say(
        'openid',
        'auth.pipelines',
        `openId({ id: '${id}' }) has "${strange}" in \`create\`. Roles of usersResource(): ${known?.join(', ')}`,
      )
  }
  for (const { id, create, roles } of own ? openIds : [])
    if (create || roles)
      say(
        'openid',
        'auth.pipelines',
        `openId({ id: '${id}' }) has \`${create ? 'create' : 'roles'}\`, but the users are your application's, which makes them`,
      )
}

/** Roles that fields name and that no user can have, as far as the panel knows the roles. */
function checkRoles({ resources }: PanelSpec, say: (id: string, where: string, text: string) => void): void {
  const known = givable(resources)
  for (const { uriKey, fields } of known ? resources : [])
    for (const field of fields.values()) {
      const strange = field.kind.roles(field).find((role) => !known?.includes(role))
      if (strange !== undefined)
        say(
          'field-role',
          `${uriKey}.fields.${field.key}`,
          `"${strange}" is a role that no user can have. Roles of usersResource(): ${known?.join(', ')}`,
        )
    }
}

/** Whether browsers make passkeys at the panel's address. */
function checkPasskeys({ url, auth }: PanelSpec, say: (id: string, where: string, text: string) => void): void {
  if (typeof auth !== 'object' || !auth.pipelines.some(({ passkeys }) => passkeys)) return
  const fault = urlFault(url)
  if (fault !== null) say('passkeys', 'url', fault)
}

/** What is wrong with the application's users: a resource would show their secrets, or they lack what the panel requires. */
function checkUsers({ users: own, resources, auth }: PanelSpec, say: (id: string, where: string, text: string) => void): void {
  if (!own) return
  const { password, twoFactor } = own.columns
  const required = typeof auth === 'object' && auth.twoFactor && auth.twoFactor.required
  if ((required === true || (required && required.length > 0)) && twoFactor === undefined)
    say(
      'users-two-factor',
      'auth.twoFactor.required',
      'nobody could set it up: name a text column for it, as `twoFactor` in `users.columns`',
    )
  const column = twoFactor === undefined ? undefined : modelOf(own.model).columns.get(twoFactor)
  const { length = null } = (column?.drizzle ?? {}) as { readonly length?: number }
  if (column && (column.type !== 'text' || column.notNull || (length !== null && length < longestFactor)))
    say(
      'users-two-factor',
      'users.columns.twoFactor',
      `"${twoFactor}" must be a text column that may be null and holds ${longestFactor} characters`,
    )
  for (const { model, fields, uriKey, derived } of resources) {
    if (model.table !== own.model) continue
    const shown = (column: string | undefined, what: string) => {
      const field = column === undefined ? undefined : fields.get(column)
      // Columns with a telling name count as secret anyway; this one must be secret whatever its name.
      if (!field || field.kind.secret || field.visible === false) return null
      const instead = derived
        ? `declare \`fields\`, without "${column}"`
        : `take "${column}" out, or give it a kind of your own that is \`secret\` and whose \`wire\` and \`text\` say nothing`
      return `it would show the ${what} of \`users\`; ${instead}`
    }
    const hashes = shown(password, 'password hashes')
    if (hashes !== null) say('users-password', `${uriKey}.fields.${password}`, hashes)
    const factors = shown(twoFactor, 'second factors')
    if (factors !== null) say('users-two-factor', `${uriKey}.fields.${twoFactor}`, factors)
  }
}

function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1
  } catch {
    return false
  }
}

/** The panel's own pages, including the home page. */
export function pagesOf({ pages = [], home }: PanelSpec): readonly Page[] {
  return home && !pages.includes(home) ? [home, ...pages] : pages
}

/** What is wrong with the menu, and with the icons of pages. */
function checkMenu(spec: PanelSpec, say: (id: string, where: string, text: string) => void): void {
  const uris = spec.resources.map((resource) => resource.uriKey)
  const checkIcon = (icon: string | null | undefined, where: string) => {
    const fault = icon ? iconFault(icon) : null
    if (fault !== null) say('icon', where, fault)
  }
  const checkResource = (named: { readonly uriKey: string } | string) => {
    const uri = typeof named === 'string' ? named : named.uriKey
    if (!uris.includes(uri)) say('menu-resource', 'menu', `the panel has no resource "${uri}". Valid: ${uris.join(', ') || 'none'}`)
  }
  const pages = pagesOf(spec)
  const checkPage = (page: Page) => {
    if (!pages.includes(page)) say('menu-page', 'menu', `"${page.uri}" is not among the panel's pages; add it to \`pages\``)
  }
  const check = (line: MenuLine): void => {
    if (typeof line !== 'object') {
      if (line !== 'divider')
        say('setting-value', 'menu', `"${String(line)}" is not a line: name a resource, a page, a group, a link or 'divider'`)
      return
    }
    if (!('components' in line) && !('uriKey' in line)) checkPolicy('menu.can', line.can, say)
    if ('group' in line) {
      for (const one of line.items) check(one)
      return
    }
    if ('components' in line) checkPage(line)
    else if ('uriKey' in line) checkResource(line)
    else {
      checkIcon(line.icon, 'menu')
      if (typeof line.badge === 'object') checkResource(line.badge.resource)
      if ('page' in line) checkPage(line.page)
      else if ('resource' in line) checkResource(line.resource)
    }
  }
  for (const page of pages) checkIcon(page.icon, `pages.${page.uri}.icon`)
  for (const line of [...(spec.menu ?? []), ...(spec.plugins ?? []).flatMap((plugin) => plugin.menu ?? [])]) check(line)
}
