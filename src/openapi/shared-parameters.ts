import type { Operation } from './operations.js'
import type { Parameter } from './parameter.js'

/** An operation, and what it takes. */
interface Taking {
  readonly operation: Pick<Operation, 'resource'>
  readonly parameters: readonly Parameter[]
}

/** The name of a parameter as a component, if several operations take it. */
export type NameOf = (operation: Taking['operation'], parameter: Parameter) => string | undefined

/**
 * The parameters that several operations of a resource, or several of the panel's own, take. Resources share none, so that their names do
 * not depend on what other resources have.
 */
export function sharedParameters(all: readonly Taking[]): { readonly byName: ReadonlyMap<string, Parameter>; readonly nameOf: NameOf } {
  const counts = new Map<string, number>()
  for (const { operation, parameters } of all)
    for (const parameter of parameters) counts.set(useOf(operation, parameter), (counts.get(useOf(operation, parameter)) ?? 0) + 1)
  const byName = new Map<string, Parameter>()
  const names = new Map<string, string>()
  for (const { operation, parameters } of all)
    for (const parameter of parameters) {
      const use = useOf(operation, parameter)
      if (names.has(use) || counts.get(use) === 1) continue
      const name = componentName(operation.resource ? `${operation.resource.uriKey}.${parameter.name}` : parameter.name)
      let free = name
      for (let n = 2; byName.has(free); n++) free = `${name}.${n}`
      byName.set(free, parameter)
      names.set(use, free)
    }
  return { byName, nameOf: (operation, parameter) => names.get(useOf(operation, parameter)) }
}

const useOf = ({ resource }: Taking['operation'], parameter: Parameter) => `${resource?.uriKey ?? ''} ${JSON.stringify(parameter)}`

/** `filter[name][gte]` → `filter.name.gte`: components have names of letters, digits, `.`, `-` and `_` alone. */
function componentName(name: string): string {
  return name
    .replace(/\[\]/g, '.any')
    .replace(/\[([^\]]*)\]/g, '.$1')
    .replace(/[^\w.-]/g, '_')
}
