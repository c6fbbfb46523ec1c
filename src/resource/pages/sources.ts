import { type Component, namedGroups } from './component.js'
import type { Figure } from './figure.js'
import type { Groups } from './groups.js'

/** The records that numbers of a component are made of. */
export interface Source {
  /** The resource, or its URI. */
  readonly resource: Figure['resource']
  /** The columns that the numbers tell of. */
  readonly columns: readonly string[]
}

/** What the numbers of a component are made of. */
export function sourcesOf(component: Component): readonly Source[] {
  const named = (columns: readonly (string | null)[]) => columns.filter((column) => column !== null)
  return [
    ...figuresOf(component).map(({ resource, column }) => ({ resource, columns: named([column]) })),
    ...groupsOf(component).map(({ resource, column, by, split }) => ({ resource, columns: named([column, by, split]) })),
  ]
}

/** What a component shows of a resource, and on what condition. */
export function shownOf(component: Component): readonly Pick<Figure, 'resource' | 'where'>[] {
  return component.is === 'table' ? [component] : [...figuresOf(component), ...groupsOf(component)]
}

/** The groups of records that a component shows. */
export function groupsOf(component: Component): readonly Groups[] {
  if (component.is !== 'chart' || typeof component.data === 'function') return []
  return namedGroups(component.label, component.data).map(({ data }) => data)
}

/** The figures that a component shows. */
export function figuresOf(component: Component): readonly Figure[] {
  const readings =
    'value' in component
      ? [
          component.value,
          ...('max' in component ? [component.max] : []),
          ...(component.is === 'metric' && component.before ? [component.before.value] : []),
        ]
      : []
  return readings.filter((one): one is Figure => typeof one === 'object' && one !== null)
}
