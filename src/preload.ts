// `daymark/preload`, for `node --import daymark/preload server.js`: a program that loads Drizzle starts sooner from Node 22.15 on. Nothing is exported, and elsewhere nothing is done.
import module from 'node:module'

type Resolve = (specifier: string, context: { readonly parentURL?: string }, next: (specifier: string, context: object) => object) => object

const { registerHooks } = module as { registerHooks?: (hooks: { resolve: Resolve }) => unknown }

// To learn what kind of module a file is, Node reads the package.json of its package, each time anew; Drizzle has 179 KB of it, and more than a hundred modules:
// 0.6 s and 190 MB on Node 24. Node 20 does not (https://github.com/nodejs/node/issues/58126). Whatever one of its ECMAScript modules names beside itself is one, too.
registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL } = context
    const beside = /^\.\.?\/.*\.js$/.test(specifier) && parentURL?.startsWith('file:') && parentURL.includes('/node_modules/drizzle-orm/')
    if (!beside) return next(specifier, context)
    return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
  },
})
