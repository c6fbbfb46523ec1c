import type { Bound } from '../../field/field.js'
import { tableView, viewFault } from '../pages/view.js'
import { list, type Say } from '../problem.js'
import type { Resource } from '../resource.js'
import { uriFault } from './uri-form.js'

/** What is wrong with the boards and calendars of a list. */
export function checkViews({ views, fields, computed, filters }: Resource, say: Say): void {
  const taken = new Set([tableView])
  for (const view of views) {
    const at = `views.${view.uri}`
    const tell = (text: string) => say('view', at, text)
    const field = fields.get(view.field)
    const fault = field && viewFault(view, field)
    const valid = list([...fields.values()].filter((one) => viewFault(view, one) === null).map(({ key }) => key))
    if (!field) tell(`"${view.field}" is not declared as a field. Valid: ${valid}`)
    else if (fault) tell(`the field "${view.field}" ${fault}. Valid: ${valid}`)
    else if (!filters.includes(view.field))
      tell(`add "${view.field}" to \`filters\`: what has no room leads to the list of these records alone`)
    for (const name of view.card)
      if (!fields.has(name) && !computed.has(name))
        tell(`card: "${name}" is not declared. Valid: ${list([...fields.keys(), ...computed.keys()])}`)
    if (view.is === 'calendar' && view.tone !== null && !isToned(fields.get(view.tone)))
      tell(`tone: "${view.tone}" has no tones. Valid: ${list([...fields.values()].filter(isToned).map(({ key }) => key))}`)
    if (view.is === 'calendar' && !['month', 'week'].includes(view.period)) tell(`period: must be 'month' or 'week', not ${view.period}`)
    if (view.is === 'board' && !(Number.isSafeInteger(view.limit) && view.limit >= 1 && view.limit <= 100))
      tell(`limit: must be a whole number from 1 to 100, not ${view.limit}`)
    const wrong = uriFault(view.uri)
    if (wrong !== null) tell(wrong)
    if (taken.has(view.uri))
      tell(view.uri === tableView ? 'the table has this name' : 'another view has this name; give it a `uri` of its own')
    taken.add(view.uri)
  }
  const first = views.filter(({ initial }) => initial)
  if (first.length > 1) say('view', 'views', `a list begins with one view, and ${list(first.map(({ uri }) => uri))} are \`initial\``)
}

/** Whether a value of the field has a tone. */
function isToned(field: Bound | undefined): boolean {
  const [first] = (field && !field.kind.many(field) && field.kind.options(field)) || []
  return first !== undefined && field?.kind.tone(first, field) !== null
}
