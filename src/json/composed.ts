import type { ChartRead, Composed, Filled, ReadValue } from '../crud/outcomes/pages.js'
import type { ChosenFilter } from '../crud/query/chosen-filters.js'
import type { PresenterContext } from '../face/face.js'
import { within } from '../face/within.js'
import type { Json } from '../field/field.js'
import { dayText, lastDay } from '../field/span.js'
import { formBody } from './bodies/forms.js'
import { listedBody } from './bodies/lists.js'

/** The data of a page of components, by component name. Components without data are left out. */
export function composedBody({ inside, filters }: Composed, at: PresenterContext) {
  const chosen = filters.map((one) => [one.name, chosenBody(one)] as const)
  return { data: Object.fromEntries(dataOf(inside, at)), ...(filters.length > 0 && { filters: Object.fromEntries(chosen) }) }
}

/** What is chosen on the page: a period by its days, of which the last one is part. */
function chosenBody(one: ChosenFilter): Json {
  if (!('span' in one)) return one.value === null ? null : one.field.kind.wire(one.value, one.field)
  return one.span && { within: one.span.name, from: dayText(one.span.from), to: dayText(lastDay(one.span)) }
}

function dataOf(all: readonly Filled[], at: PresenterContext): [name: string, data: object][] {
  return all.flatMap((one) => partsOf(one, at))
}

function partsOf(filled: Filled, at: PresenterContext): [name: string, data: object][] {
  switch (filled.is) {
    case 'plain':
    case 'button':
    case 'deferred':
      return []
    case 'group':
      return dataOf(filled.inside, at)
    case 'tabs':
      return filled.tabs.flatMap((tab) => dataOf(tab.inside ?? [], at))
    case 'table':
      return [[filled.component.name, listedBody(filled.list, within(at, filled.component.name))]]
    case 'form':
      return [[filled.component.name, formBody(filled.form, at)]]
    case 'metric': {
      const before = filled.before && { before: filled.before.value }
      return [[filled.component.name, { label: filled.component.label, ...readBody(filled.value), ...before }]]
    }
    case 'badge':
      return [[filled.component.name, { label: filled.component.label, ...readBody(filled.value) }]]
    case 'chart':
      return [[filled.component.name, chartBody(filled.component.label, filled.read)]]
    case 'progress':
      return [[filled.component.name, { label: filled.component.label, value: filled.value.value, max: filled.max.value }]]
  }
}

function chartBody(label: string, { groups, series, hasMore }: ChartRead) {
  return {
    label,
    groups: groups.map(({ label, wire, until, isOthers }) => ({
      label,
      ...(until === null ? valueBody(wire, isOthers) : { from: wire, until }),
    })),
    series: series.map(({ label, wire, isOthers, values }) => ({ label, ...valueBody(wire, isOthers), values })),
    more: hasMore,
  }
}

function valueBody(value: Json | undefined, others: boolean) {
  return others ? { others } : value === undefined ? {} : { value }
}

function readBody({ value, record }: ReadValue): { readonly value: Json; readonly record?: object } {
  return { value, ...(record && { record: { resource: record.resource.uriKey, key: record.key, label: record.label } }) }
}
