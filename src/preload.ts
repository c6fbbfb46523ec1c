// `daymark/preload`, for `node --import daymark/preload server.js`: a program that loads Drizzle starts sooner from Node 22.15 on. Nothing is exported, and elsewhere nothing is done.
import { statSync } from 'node:fs'
import module from 'node:module'

type Resolve = (specifier: string, context: { readonly parentURL?: string }, next: (specifier: string, context: object) => object) => object

const { registerHooks } = module as { registerHooks?: (hooks: { resolve: Resolve }) => unknown }

// Nothing after a `?`: whoever has put it there (to load a module anew) decides where its neighbours are, too.
const ofDrizzle = /^file:[^?#]*\/node_modules\/drizzle-orm\/(?!(?:[^?#]*\/)?node_modules\/)[^?#]*\.js$/
const beside = /^\.\.?\/[\w./-]+\.js$/

// Each is named some three times, and to look for it each time leaves 6 MB of garbage.
const found = new Set<string>()

/** Whether it is there and of Drizzle. What is not there Node says itself. */
function isFound(url: URL): boolean {
  const { href } = url
  if (found.has(href)) return true
  if (!ofDrizzle.test(href) || !statSync(url, { throwIfNoEntry: false })?.isFile()) return false
  found.add(href)
  return true
}

// To learn what kind of module a file is, Node reads the package.json of its package, each time anew; Drizzle has 179 KB of it, and more than a hundred modules:
// more than half a second and 217 MB on Node 24. Node 20 does not (https://github.com/nodejs/node/issues/58126). Whatever one of its ECMAScript modules names beside itself is one, too.
registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (!parentURL || !beside.test(specifier) || !ofDrizzle.test(parentURL)) return next(specifier, context)
    const url = new URL(specifier, parentURL)
    if (!isFound(url)) return next(specifier, context)
    return { url: url.href, format: 'module', shortCircuit: true }
  },
})
