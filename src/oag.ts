import { a, type Settings as SettingsOf, settingFaults } from './base/setting.js'
import type { GuestCall, PanelCall } from './crud/call/call.js'
import type { Outcome } from './crud/outcomes/outcome.js'
import type { Verb } from './crud/verbs.js'
import { type DocsData, docsAssets, docsView } from './html/pages/docs-page.js'
import { documentOf, type OpenApi } from './openapi/document.js'
import { unsaidOf } from './openapi/unsaid.js'
import { definePlugin, type House, type Plugin, type PluginRoute } from './plugin/plugin.js'
import { DeclarationError, problemsOf } from './resource/problem.js'

export type { DocsData } from './html/pages/docs-page.js'
export type { OpenApi } from './openapi/document.js'

/** The options of `oag()`. */
export interface OagOptions {
  /** The title of the document and of its page. Default: `Docs`. */
  readonly title?: string
  /** The file that `daymark oag:generate` writes; the JSON file goes beside it. Default: `resources/oag.yaml`. */
  readonly path?: string
  /** The path of the document, relative to where the panel is mounted. Default: `oag.json`. */
  readonly route?: string
  /** The view that renders `/docs`, by its name in `definePanel({ views })`. Default: `oag::docs`, the one that comes along. */
  readonly view?: string
  /** Who can read the page and the document: everybody, or only signed-in users. Default: `public`. */
  readonly access?: 'public' | 'signedIn'
  /** The version of your API. Default: `1.0.0`. */
  readonly version?: string
  /** The licence of your API: its name, and its SPDX `identifier` or `url`. Default: the document names none. */
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string }
}

type Settings = Required<Omit<OagOptions, 'license'>> & Pick<OagOptions, 'license'>

/** The plugin that `oag()` returns. */
export interface OagPlugin extends Plugin {
  /** Always `oag`. */
  readonly id: 'oag'
  /** The options with their defaults. */
  readonly settings: Settings
}

const ofLicenses = { name: a.text, identifier: a.text, url: a.text }
const known: SettingsOf<OagOptions> = {
  title: a.text,
  path: a.text,
  route: a.text,
  view: a.text,
  access: a.literal('public', 'signedIn'),
  version: a.text,
  license: a.form(ofLicenses, 'name'),
}

/**
 * Describes the panel's JSON API as an OpenAPI 3.1 document, made from its declarations, and serves a page that shows it.
 *
 * @throws DeclarationError for an unknown option, or one that is empty or wrong
 *
 * @example
 * ```ts
 * import { oag } from 'daymark/oag'
 *
 * export const plugins = [oag({ title: 'Atlas', access: 'signedIn' })]
 * ```
 */
export function oag(options: OagOptions = {}): OagPlugin {
  const empty = Object.entries(options)
    .filter(([, value]) => value === '' || value === '/')
    .map(([name]) => ({ id: 'setting-value', where: `oag.${name}`, text: 'is empty: leave it out for its default' }))
  const wrong = [...problemsOf(settingFaults(options, known, 'oag')), ...empty]
  if (wrong.length > 0) throw new DeclarationError(wrong)
  const {
    title = 'Docs',
    path = 'resources/oag.yaml',
    route = 'oag.json',
    view = 'oag::docs',
    access = 'public',
    version = '1.0.0',
    license,
  } = options
  const settings = Object.freeze({ title, path, route: route.replace(/^\/+/, ''), view, access, version, ...(license && { license }) })
  return definePlugin({
    id: 'oag',
    settings,
    views: { 'oag::docs': docsView },
    shows: [view],
    assets: docsAssets,
    routes: (house: House) => rowsOf(settings, house),
    warns: unsaidOf,
  })
}

function rowsOf({ title, route, view, access, version, license }: Settings, house: House): readonly PluginRoute[] {
  let made: OpenApi | null = null
  const data: DocsData = Object.freeze({ title, url: `${house.place.mount}/${route}` })
  const row = (name: string, summary: string, path: string, run: () => Promise<Outcome>): PluginRoute => {
    const verb: Verb =
      access === 'public'
        ? { on: 'guest', ends: ['answered'], run: (_: GuestCall) => run() }
        : { on: 'panel', ends: ['answered'], run: (_: PanelCall) => run() }
    return { name, summary, methods: ['GET'], at: 'root', path, ability: access, query: 'none', verb }
  }
  return [
    row('docs', 'Get where the documentation is', '/docs', async () => ({ is: 'answered', data, view })),
    {
      ...row('data', 'Get this document', `/${route}`, async () => {
        made ??= Object.freeze(documentOf(house, { title, version, license }))
        return { is: 'answered', data: made, view: null }
      }),
      as: 'json',
    },
  ]
}
