import { daysWords } from '../../field/span.js'
import { choicesIn, chosenWhere } from '../../resource/condition/chosen-where.js'
import { filterOf, isChoice, isSpan } from '../../resource/condition/page-choice.js'
import type { Component, NamedGroups } from '../../resource/pages/component.js'
import type { Figure, Reading } from '../../resource/pages/figure.js'
import { everyByDefault, type Groups } from '../../resource/pages/groups.js'
import type { Choices } from './page-choices.js'

/** A component with what was chosen in the conditions of what it shows. */
export function applyChoices(component: Component, choices: Choices, locale: string): Component {
  const met = (reading: Reading) => (isFigure(reading) ? whereChosen(reading, choices) : reading)
  switch (component.is) {
    case 'table':
      return whereChosen(component, choices)
    case 'metric': {
      const { before, value } = component
      return { ...component, value: met(value), before: before && beforeChosen(before, choices, locale) }
    }
    case 'badge':
      return { ...component, value: met(component.value) }
    case 'progress':
      return { ...component, value: met(component.value), max: met(component.max) }
    case 'chart': {
      const { data } = component
      if (typeof data === 'function') return component
      if ('of' in data) return { ...component, data: groupsChosen(data, choices) }
      return { ...component, data: data.map((one): NamedGroups => ({ ...one, data: groupsChosen(one.data, choices) })) }
    }
    default:
      return component
  }
}

/** The labels of what was chosen that narrows a table. */
export function choiceLabels(component: Component, choices: Choices): readonly string[] {
  const named = component.is === 'table' ? choicesIn(component.where) : []
  return choices.filters.flatMap(({ filter, label }) =>
    choices.of(filter) !== null && named.some((choice) => filterOf(choice, [filter])) ? [label] : [],
  )
}

const isFigure = (reading: Reading): reading is Figure => typeof reading === 'object' && reading !== null

function whereChosen<C extends { readonly where: Figure['where'] }>(one: C, choices: Choices): C {
  return one.where === null ? one : { ...one, where: chosenWhere(one.where, choices.of) }
}

/** Before any time there is nothing to compare with. */
function beforeChosen(before: { readonly value: Reading; readonly label?: string }, choices: Choices, locale: string) {
  const { value } = before
  if (!isFigure(value)) return before
  const own = choicesIn(value.where).find(({ is }) => is === 'before')
  const span = own && choices.of(own)
  if (own && !isSpan(span)) return null
  return { ...(isSpan(span) && { label: daysWords(span, locale) }), ...before, value: whereChosen(value, choices) }
}

function groupsChosen(groups: Groups, choices: Choices): Groups {
  const made = whereChosen(groups, choices)
  if (!isChoice(made.within)) return made
  const span = choices.of(made.within)
  return isSpan(span) ? { ...made, within: span } : { ...made, within: null, every: made.every ?? everyByDefault }
}
