import { isDeepStrictEqual } from 'node:util'
import { a, faultsOf } from '../base/setting.js'
import { checkPages } from '../resource/check/pages.js'
import { checkPolicies } from '../resource/check/written.js'
import type { Problem, Say } from '../resource/problem.js'
import { webhookFaults } from '../resource/webhook.js'
import { eq } from '../store/panel/table.js'
import { accountEvents, apiKeys, deliveries } from '../store/panel/tables.js'
import { checkViewAs } from './check-auth.js'
import { checkDatabases, checkPlaces, checkReplica } from './check-databases.js'
import { checkMenu } from './check-menu.js'
import { checkUsers } from './check-users.js'
import { checkValues } from './check-values.js'
import { listed, wrongSettings } from './settings.js'
import { type PanelSpec, pagesOf } from './spec.js'

/**
 * Checks that no list of the panel contains `undefined`. The compiler cannot see it: when two files import each other, one of them reads
 * the other's exports before they have values. Nor can the panel go on with settings of another type.
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
      else for (const { text } of faultsOf(listed[at.replace(/.*\./, '')] ?? a.value, one, '')) say('listed', `${at}[${i}]`, text)
    }
  }
  return [...problems, ...wrongSettings(spec)]
}

/** What is wrong with the panel's settings. Its resources are checked elsewhere. */
export function checkPanel(spec: PanelSpec): Problem[] {
  const problems: Problem[] = []
  const say: Say = (id, where, text) => problems.push({ id, where, text })
  checkPolicies('can', spec.can, say)
  checkPages(pagesOf(spec), new Map(spec.resources.map((resource) => [resource.uriKey, resource])), say)
  checkMenu(spec, say)
  checkDatabases(spec, say)
  checkReplica(spec, say)
  checkPlaces(spec, say)
  for (const [where, text] of webhookFaults(spec.webhooks ?? [], spec.resources)) say('webhook', where, text)
  checkOwn(spec, say)
  checkFiles(spec, say)
  checkUsers(spec, say)
  checkViewAs(spec, say)
  checkValues(spec, say)
  return problems
}

// What the panel keeps of each panel apart: the check, what it is, and what shows it.
const ofEach = new Map<unknown, readonly [id: string, what: string, by: string]>([
  [deliveries, ['webhook', 'messages', 'webhooksResource']],
  [apiKeys, ['api-keys', 'keys', 'apiKeysResource']],
  [accountEvents, ['account-events', 'events', 'accountEventsResource']],
])

/** A panel shows of what several keep in one table only its own. */
function checkOwn({ id = 'admin', resources }: PanelSpec, say: Say): void {
  for (const { model, uriKey, records } of resources) {
    const [check, what, by] = ofEach.get(model.table) ?? []
    if (check !== undefined && !isDeepStrictEqual(records, eq('panel', id)))
      say(check, uriKey, `shows the ${what} of another panel: ${by}({ panel: '${id}' })`)
  }
}

/** What is wrong with the storage of files, or that there is none. */
function checkFiles(spec: PanelSpec, say: Say): void {
  for (const { uriKey, fields, trashOf } of spec.files ? [] : spec.resources)
    for (const field of trashOf ? [] : fields.values())
      if (field.kind.file) say('files', `${uriKey}.fields.${field.key}`, "say where files are kept: `files: folder('uploads')`")
  const storage = spec.files as Readonly<Record<string, unknown>> | undefined
  const lacking = storage && ['put', 'get', 'remove'].filter((name) => typeof storage[name] !== 'function')
  if (lacking && lacking.length > 0) say('files', 'files', `is no storage: it has no ${lacking.join(', ')}. Give folder('uploads')`)
}
