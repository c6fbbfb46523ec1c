import { operatorsOf } from '../../field/kind.js'
import { isWithin, withins } from '../../field/within.js'
import { isChoice } from '../condition/page-choice.js'
import { everyComponent } from '../pages/component.js'
import type { Page } from '../pages/own-page.js'
import { list, type Say } from '../problem.js'
import type { Resource } from '../resource.js'
import { named } from './components.js'

const parameterForm = /^[a-z][a-zA-Z0-9-]*$/
// They are of a list, and lead to another page of it.
const reservedParameters = ['page', 'cursor']

/** What is wrong with what users choose on a page. */
export function checkFilters({ filters, components }: Page, page: string, resources: ReadonlyMap<string, Resource>, say: Say): void {
  const taken = new Set([...everyComponent(components)].flatMap((one) => ('name' in one ? [one.name] : [])))
  for (const [name, filter] of filters) {
    const at = `${page}.filters.${name}`
    const fault = (text: string) => say('page-filter', at, text)
    if (!parameterForm.test(name)) fault(`"${name}" must be letters, digits and hyphens, beginning with a lower-case letter`)
    if (reservedParameters.includes(name)) fault(`"${name}" is a parameter of lists; choose another name`)
    if (taken.has(name)) fault(`a component of the page is named "${name}", too`)
    if (!isChoice(filter)) fault('it is made by neither pageFilter.period() nor pageFilter.of()')
    else if (filter.is === 'period') {
      if (filter.options.length === 0) fault('it has no periods to choose from')
      for (const option of [...filter.options, ...(filter.initial === null ? [] : [filter.initial])])
        if (!isWithin(option)) fault(`"${option}" is no ready period. There are: ${list(Object.keys(withins))}`)
      if (filter.initial !== null && !filter.options.includes(filter.initial))
        fault(`"${filter.initial}" is not among its options: ${list(filter.options)}`)
    } else {
      const resource = named(filter.resource, at, resources, say)
      const field = resource?.fields.get(filter.field)
      if (resource && !field) fault(`"${filter.field}" is not a field of ${resource.uriKey}. Valid: ${list(resource.fields.keys())}`)
      if (field && (field.kind.many(field) || !operatorsOf(field).includes('eq'))) fault(`"${filter.field}" has no single value to choose`)
    }
  }
}
