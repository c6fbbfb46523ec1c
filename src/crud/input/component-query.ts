import type { Query } from '../call/input.js'

/** The parameters of one component: `cities-table[page]=2` is `page`, `cities-table[filter][name]=x` is `filter[name]`. */
export function componentQuery(query: Query, name: string): Query {
  const start = `${name}[`
  const own = new Map<string, readonly string[]>()
  for (const [parameter, values] of query) {
    if (!parameter.startsWith(start)) continue
    const end = parameter.indexOf(']', start.length)
    if (end > start.length) own.set(parameter.slice(start.length, end) + parameter.slice(end + 1), values)
  }
  return own
}

/** The name of a component's parameter in the URL of its page. */
export function componentParameter(name: string, parameter: string): string {
  const bracket = parameter.indexOf('[')
  return bracket < 0 ? `${name}[${parameter}]` : `${name}[${parameter.slice(0, bracket)}]${parameter.slice(bracket)}`
}

/** The parameters of a page's URL that do not belong to this component. */
export function queryWithoutComponent(query: Query, name: string): Query {
  return new Map([...query].filter(([parameter]) => !parameter.startsWith(`${name}[`)))
}
