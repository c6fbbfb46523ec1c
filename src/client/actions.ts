import { Problem } from './problem.js'
import { textOf } from './query.js'
import type { Send } from './wire.js'

type Keys = readonly (string | number)[]

/**
 * Calls handlers or methods by name. The types are in `shapes.ts`.
 *
 * @param changed called with the keys of the records that an action may have changed
 */
export function actionClient(send: Send, pathOf: (name: string) => string, changed: (keys: Keys) => void) {
  const methods = new Map<string, string>()
  const ask = async (method: string, name: string, keys: Keys, input: object) => {
    const path = pathOf(name)
    const body = { ...input, ...(keys.length > 0 && { ids: keys }) }
    if (method === 'GET') return (await send(method, path + queryOf(path, keys, input))).body
    const answer = await send(method, path, body)
    changed(keys)
    return answer.body
  }
  // The types do not say which HTTP method an action has: the first call tries POST, and the 405 names the method, which is remembered.
  const call = async (name: string, keys: Keys, input: object) => {
    const known = methods.get(name)
    try {
      return await ask(known ?? 'POST', name, keys, input)
    } catch (thrown) {
      const [method] = (!known && thrown instanceof Problem && thrown.status === 405 && thrown.allow?.match(/[A-Z]+/)) || []
      if (!method) throw thrown
      methods.set(name, method)
      return ask(method, name, keys, input)
    }
  }
  return new Proxy(Object.freeze({}), {
    // `await` asks any object for `then`.
    get: (_, name) =>
      typeof name === 'string' && name !== 'then' ? (keys: Keys = [], input: object = {}) => call(name, keys, input) : undefined,
  })
}

function queryOf(path: string, keys: Keys, input: object): string {
  const query = new URLSearchParams(keys.map((key): [string, string] => ['ids[]', String(key)]))
  for (const [name, value] of Object.entries(input)) {
    const all: unknown[] = [value].flat()
    if (all.length === 0) throw new TypeError(`${name} is an empty list, which no query can hold`)
    for (const one of all) if (one != null) query.append(name, textOf(name, one))
  }
  const text = query.toString()
  return text && (path.includes('?') ? '&' : '?') + text
}
