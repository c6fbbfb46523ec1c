import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createJiti } from 'jiti'
import type { Inside, Panel } from '../panel.js'
import { inside } from '../panel.js'
import type { PanelStore } from '../store/panel/open.js'
import { checkFile } from './check-file.js'
import { Stop } from './stop.js'

const description = 'The file whose default export is the panel. Default: the first of panel.*, src/panel.*'

/** The option that every command takes. */
export const panelArgument = { panel: { type: 'string', description } } as const

/** The same for commands about one panel, which may also name it by itself: `daymark serve panel.ts`. */
export const panelFirst = { file: { type: 'positional', required: false, description }, ...panelArgument } as const

/** The panel's file that such a command names. */
export function namedPanel({
  file,
  panel,
}: {
  readonly file?: string | undefined
  readonly panel?: string | undefined
}): string | undefined {
  if (file !== undefined && panel !== undefined) throw new Stop(`The panel is named twice: ${file} and --panel ${panel}`)
  return file ?? panel
}

interface Loaded {
  readonly panel: Panel
  readonly own: Inside
}

interface WithUsers {
  readonly panel: Panel
  readonly store: PanelStore
  readonly url: string | null
  readonly resources: Inside['realm']['resources']
  readonly auth: Inside['realm']['auth']
}

/** Imports a panel's file, in TypeScript or JavaScript, without opening the database. The caller closes the panel. */
export async function loadPanel(file: string | undefined): Promise<Loaded> {
  const path = file === undefined ? found() : resolve(file)
  checkFile(file ?? path)
  const panel = await createJiti(import.meta.url).import<Panel | undefined>(path, { default: true })
  const own = (panel as { readonly [inside]?: Inside } | undefined)?.[inside]
  if (!panel || !own) throw new Stop(`The default export of ${file ?? path} is not a panel: export default definePanel({ … })`)
  return { panel, own }
}

/** Loads a panel, passes its internals to `work`, and closes it afterwards. */
export async function withPanel<T>(file: string | undefined, work: (loaded: WithUsers) => Promise<T>): Promise<T> {
  const { panel, own } = await loadPanel(file)
  try {
    if (!own.store) throw new Stop("This panel is open to anybody on its machine (auth: 'open'): it has no users")
    return await work({ panel, store: own.store, url: own.url, resources: own.realm.resources, auth: own.realm.auth })
  } finally {
    await panel.close()
  }
}

const endings = ['ts', 'mts', 'js', 'mjs']

/** The panel's file that commands take if none is named; undefined: there is none. */
export function panelHere(): string | undefined {
  return ['panel', 'src/panel'].flatMap((name) => endings.map((ending) => `${name}.${ending}`)).find((one) => existsSync(one))
}

function found(): string {
  const path = panelHere()
  if (path === undefined) throw new Stop('There is no panel.ts or src/panel.ts here: name the file, or write a first one with daymark init')
  return resolve(path)
}
