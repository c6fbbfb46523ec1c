import { existsSync } from 'node:fs'
import { a, type Settings, settingFaults } from '../base/setting.js'
import type { Verb } from '../crud/verbs.js'
import type { View } from '../face/view.js'
import { uriFault } from '../resource/check/uri-form.js'
import { type Problem, problemsOf } from '../resource/problem.js'
import type { Method, Route } from '../route/routes.js'
import type { House, Plugin, PluginRoute } from './plugin.js'
import { withRecords } from './records.js'

/**
 * Adds the routes and verbs of plugins to the panel's own, each under its plugin's name and path.
 *
 * @throws TypeError for a route that no request can reach, or whose name is taken
 */
export function installRoutes(
  plugins: readonly Plugin[],
  own: { readonly routes: readonly Route[]; readonly verbs: Readonly<Record<string, Verb>> },
  house: House,
): { readonly routes: readonly Route[]; readonly verbs: Readonly<Record<string, Verb>> } {
  const routes = [...own.routes]
  const verbs: Record<string, Verb> = { ...own.verbs }
  for (const { id, routes: rowsOf } of plugins) {
    const rows = rowsOf?.(house) ?? []
    if (!Array.isArray(rows)) throw new TypeError(`\`routes\` of the plugin "${id}" returns no list`)
    for (const { verb, ...row } of rows as readonly PluginRoute[]) {
      const name = `${id}.${row.name}`
      const fault = faultOf(row)
      if (fault !== null) throw new TypeError(`The route "${name}" ${fault}`)
      // The verb of the one would run at the path of the other.
      if (routes.some((one) => one.name === name)) throw new TypeError(`Another route has the name "${name}"; give one of them its own`)
      verbs[name] = withRecords(verb)
      routes.push(Object.freeze({ ...row, name, verb: name, path: row.at === 'root' ? row.path : `/plugin/${id}${row.path}` }))
    }
  }
  return Object.freeze({ routes: Object.freeze(routes), verbs: Object.freeze(verbs) })
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies readonly Method[]

const queries: { readonly [Q in Route['query']]: true } = {
  list: true,
  record: true,
  ids: true,
  search: true,
  choices: true,
  'sign-in': true,
  cursor: true,
  name: true,
  path: true,
  import: true,
  check: true,
  format: true,
  own: true,
  none: true,
}

/** What is wrong with a route; null: nothing. The compiler misses paths that no request can reach, and whatever is JavaScript. */
function faultOf(row: Omit<PluginRoute, 'verb'>): string | null {
  if (!String(row.path).startsWith('/')) return `has the path "${row.path}", which must begin with a slash`
  const written = inUrl(row.path)
  if (written !== row.path) return `has the path "${row.path}", which URLs have as "${written}"`
  if (!Object.hasOwn(queries, row.query)) return `has the query "${row.query}". Valid: ${Object.keys(queries).join(', ')}`
  if (Array.isArray(row.methods) && row.methods.length > 0 && row.methods.every((one) => methods.includes(one))) return null
  return `has the methods ${JSON.stringify(row.methods)}: give it a list of some of ${methods.join(', ')}`
}

/** A path as it is in a URL: encoded, and without a query or steps back. */
function inUrl(path: string): string {
  const { pathname } = new URL(`http://localhost${path.replaceAll(/\{(\w+)\?\}/g, '{$1%3F}')}`)
  // The braces of parameters are encoded, too.
  return pathname.replaceAll(/%7B(\w+)(%3F)?%7D/g, (_, name, mark) => `{${name}${mark ? '?' : ''}}`)
}

/** The views of all plugins. The panel's own views replace those of the same name. */
export function installViews(plugins: readonly Plugin[], own: Readonly<Record<string, View>>): ReadonlyMap<string, View> {
  return new Map([...plugins.map(({ views }) => views ?? {}), own].flatMap(Object.entries<View>))
}

/** What the parts of a plugin may be. `a.value`: another check says more. */
const ofPlugins: Settings<Plugin> = {
  id: a.value,
  resources: a.value,
  pages: a.value,
  menu: a.value,
  routes: a.function,
  assets: a.object,
  views: a.byName(a.function),
  warns: a.function,
  shows: a.list(a.text),
  settings: a.value,
}

/** What is wrong with a panel's plugins. */
export function checkPlugins(plugins: readonly Plugin[], views: ReadonlyMap<string, View>): readonly Problem[] {
  return plugins.flatMap((plugin, i): Problem[] => {
    const { id, shows = [] } = plugin
    const wrong = uriFault(id) ?? (plugins.findIndex((one) => one.id === id) < i && `another plugin has the id "${id}"`)
    const missing = shows.filter((name) => !views.has(name))
    return [
      ...(wrong ? [{ id: 'plugin-id', where: `plugins[${i}].id`, text: wrong }] : []),
      ...problemsOf(settingFaults(plugin, ofPlugins, `plugins[${i}]`)),
      ...checkAssets(plugins, i),
      ...missing.map((name) => ({
        id: 'plugin-view',
        where: `plugins[${i}]`,
        text: `"${name}" is not a view: name one in \`views\`. Valid: ${[...views.keys()].join(', ') || 'none'}`,
      })),
    ]
  })
}

/** What is wrong with the assets of one of the plugins: pages would load another one's, or none. */
function checkAssets(plugins: readonly Plugin[], i: number): readonly Problem[] {
  const isTaken = (file: string) => plugins.slice(0, i).some(({ assets }) => assets && Object.hasOwn(assets, file))
  return Object.entries(plugins[i]?.assets ?? {}).flatMap(([file, at]: [string, unknown]) => {
    const text = isTaken(file)
      ? 'another plugin has an asset of this name; give one of them its own'
      : !(at instanceof URL)
        ? "is no URL: write new URL('./file.js', import.meta.url)"
        : !existsSync(at) && `there is no file at ${at.href}`
    return text ? [{ id: 'plugin-asset', where: `plugins[${i}].assets["${file}"]`, text }] : []
  })
}
