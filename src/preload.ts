// `daymark/preload` makes a program that loads Drizzle start sooner: `node --import daymark/preload server.js`.
// Finding modules takes effect from Node 22.15 on (of 23 from 23.5 on), keeping what is compiled from 22.1 on. It exports nothing.
import { statSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Resolve = (specifier: string, context: { readonly parentURL?: string }, next: (specifier: string, context: object) => object) => object

const { registerHooks, enableCompileCache } = module as {
  registerHooks?: (hooks: { resolve: Resolve }) => unknown
  enableCompileCache?: (folder: string) => unknown
}

// No `?` in the URL: whoever put one there, to load a module again, also decides where its neighbours are.
const ofDrizzle = /^file:[^?#]*\/node_modules\/drizzle-orm\/(?!(?:[^?#]*\/)?node_modules\/)[^?#]*\.js$/
const beside = /^\.\.?\/[\w./-]+\.js$/

// Each module is imported about three times; looking it up every time would leave 6 MB of garbage.
const found = new Set<string>()

/** Whether the file exists and is Drizzle's. If it doesn't exist, Node reports it. */
function isFound(url: URL): boolean {
  const { href } = url
  if (found.has(href)) return true
  if (!ofDrizzle.test(href) || !statSync(url, { throwIfNoEntry: false })?.isFile()) return false
  found.add(href)
  return true
}

// Why: to learn what kind of module a file is, Node reads the package.json of its package, again for every module. Drizzle's has 179 KB, and
// more than a hundred modules: more than half a second and 217 MB on Node 24. Node 20 does not (https://github.com/nodejs/node/issues/58126).
// A `.js` file beside an ECMAScript module of Drizzle is one, too, so this hook says so without reading package.json.
registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (!parentURL || !beside.test(specifier) || !ofDrizzle.test(parentURL)) return next(specifier, context)
    const url = new URL(specifier, parentURL)
    if (!isFound(url)) return next(specifier, context)
    return { url: url.href, format: 'module', shortCircuit: true }
  },
})

// The next start finds this one's code compiled. Beside the installed packages, as other tools do: whoever may write there can change the
// code anyway, which a folder that all users of the machine share, Node's own choice, does not have. What cannot be kept is compiled again.
enableCompileCache?.(process.env.NODE_COMPILE_CACHE || join(installedIn(dirname(fileURLToPath(import.meta.url))), '.cache/daymark'))

/** The outermost `node_modules` that a folder of this package is in; the package's own, if it is not installed. */
function installedIn(folder: string): string {
  return /^.*?[\\/]node_modules(?=[\\/])/.exec(folder)?.[0] ?? join(folder, '../node_modules')
}
