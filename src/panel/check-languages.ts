import type { Problem } from '../resource/problem.js'
import type { Resource } from '../resource/resource.js'
import type { PanelSpec } from './spec.js'
import { pagesOf } from './spec.js'

/** What is wrong with the locales of a panel in several languages. What a locale is, the panel of each checks. */
export function checkLocales(locales: readonly string[]): Problem[] {
  const texts = Array.isArray(locales) && locales.length > 0 ? [] : ["name at least one, such as ['en', 'de']"]
  if (new Set(locales).size < locales.length) texts.push('name each once')
  return texts.map((text) => ({ id: 'languages', where: 'locales', text }))
}

/** What of a panel is another in this language than in the first: only texts may be. Both with the resources of their plugins. */
export function checkSame(spec: PanelSpec, first: PanelSpec): Problem[] {
  const problems: Problem[] = []
  const differs = (where: string, text: string) =>
    problems.push({ id: 'languages', where, text: `in ${spec.locale} ${text}, in ${first.locale} another: only texts differ` })
  for (const name of ['id', 'url', 'timeZone', 'attempts', 'auth', 'prefix', 'limits'] as const)
    if (written(spec[name]) !== written(first[name])) differs(name, `is ${written(spec[name])}`)
  // Never said: it is no secret any more in a log.
  if (spec.secret !== first.secret) differs('secret', 'is one of its own')
  if (spec.database !== first.database) differs('database', 'is one of its own. Make it once, outside of the function')
  const before = new Map(first.resources.map((resource) => [resource.uriKey, resource]))
  const names = ({ resources, plugins = [], ...more }: PanelSpec) => ({
    resources: resources.map(({ uriKey }) => uriKey),
    pages: pagesOf({ resources, ...more }).map(({ uri }) => uri),
    plugins: plugins.map(({ id }) => id),
  })
  const [here, there] = [names(spec), names(first)]
  for (const name of ['resources', 'pages', 'plugins'] as const)
    if (here[name].toSorted().join() !== there[name].toSorted().join()) differs(name, `are ${here[name].join(', ') || 'none'}`)
  for (const resource of spec.resources) {
    const other = before.get(resource.uriKey)
    if (other) checkResource(resource, other, differs)
  }
  return problems
}

function checkResource(resource: Resource, other: Resource, differs: (where: string, text: string) => void): void {
  const { uriKey, fields, model, database, ownStore } = resource
  if (model.table !== other.model.table) differs(`${uriKey}.model`, 'is a table of its own. Make it once, outside of the function')
  if (database !== other.database || ownStore !== other.ownStore)
    differs(`${uriKey}.store`, 'is one of its own. Make it once, outside of the function')
  const names = [...fields.keys()].join(', ')
  if (names !== [...other.fields.keys()].join(', ')) differs(`${uriKey}.fields`, `are ${names}`)
}

/** A setting as text, as far as it can be compared: functions and objects of code are made anew for each language. */
const written = (value: unknown): string => (typeof value === 'object' && value !== null ? plainly(value) : String(value))

/** `auth` of users: who they are is not compared. */
function plainly(value: object): string {
  return 'pipelines' in value ? 'for users' : JSON.stringify(value)
}
