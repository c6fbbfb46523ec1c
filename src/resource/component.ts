import type { Html } from '../base/html.js'
import type { PageButton } from './action.js'
import type { Where } from './condition.js'
import type { Declared } from './declared.js'
import type { Reading } from './figure.js'
import type { Policy } from './policy.js'

/** What a message or a badge is about. */
export type Tone = 'info' | 'good' | 'warn' | 'bad'

/** What every component may state. */
export interface Common {
  /** Who sees it. Default: whoever sees the page, and may list the resource that it shows. */
  readonly can?: Policy
}

export interface Heading extends Common {
  readonly is: 'heading'
  readonly text: string
}
export interface Paragraph extends Common {
  readonly is: 'paragraph'
  readonly content: string | Html
}
export interface Alert extends Common {
  readonly is: 'alert'
  readonly tone: Tone
  readonly title: string
  readonly text: string | null
}
export interface ActionButton extends Common {
  readonly is: 'button'
  readonly button: PageButton
}
export interface Badge extends Common {
  readonly is: 'badge'
  readonly name: string
  readonly tone: Tone
  readonly label: string | null
  readonly value: Reading
}
export interface Progress extends Common {
  readonly is: 'progress'
  readonly name: string
  readonly label: string
  readonly value: Reading
  readonly max: Reading
}
export interface Metric extends Common {
  readonly is: 'metric'
  readonly name: string
  readonly label: string
  readonly value: Reading
  /** Where it leads: a resource's list, or an address. */
  readonly link: Declared | string | null
}
export interface TableBuilder extends Common {
  readonly is: 'table'
  readonly name: string
  readonly title: string | null
  readonly resource: Declared | string
  readonly columns: readonly string[] | null
  readonly where: Where<Record<string, unknown>> | null
  /** `-population`, `name`. */
  readonly sort: readonly string[] | null
  /** The first so many, and no further pages. */
  readonly limit: number | null
  readonly perPage: number | null
  /** Null: as the resource says. */
  readonly async: boolean | null
}
export interface FormBuilder extends Common {
  readonly is: 'form'
  readonly name: string
  readonly title: string | null
  readonly resource: Declared | string
  readonly fields: readonly string[] | null
  /** The record that is edited; null: one is made. */
  readonly item: string | null
}
export interface Box extends Common {
  readonly is: 'box'
  readonly title: string | null
  readonly components: readonly Component[]
}
export interface Grid extends Common {
  readonly is: 'grid'
  readonly columns: 2 | 3 | 4
  readonly components: readonly Component[]
}
export interface Tab {
  readonly uri: string
  readonly label: string
  readonly components: readonly Component[]
}
export interface Tabs extends Common {
  readonly is: 'tabs'
  readonly name: string
  readonly label: string
  readonly tabs: readonly Tab[]
}
export interface Fragment extends Common {
  readonly is: 'fragment'
  readonly name: string
  /** Read after the page is there. */
  readonly deferred: boolean
  /** What is said of it while it is read. */
  readonly label: string
  readonly components: readonly Component[]
}
export interface Modal extends Common {
  readonly is: 'modal' | 'off-canvas'
  readonly name: string
  /** Of the button that opens it. */
  readonly label: string
  readonly title: string
  readonly components: readonly Component[]
}

/** A component of a page: frozen data, made by the function of its kind. */
export type Component =
  | Heading
  | Paragraph
  | Alert
  | ActionButton
  | Badge
  | Progress
  | Metric
  | TableBuilder
  | FormBuilder
  | Box
  | Grid
  | Tabs
  | Fragment
  | Modal

/** The components that stand in another one. */
export function insideOf(component: Component): readonly Component[] {
  if ('tabs' in component) return component.tabs.flatMap((tab) => tab.components)
  return 'components' in component ? component.components : []
}

/** Components and all that stands in them. */
export function* everyComponent(components: readonly Component[]): Generator<Component> {
  for (const component of components) {
    yield component
    yield* everyComponent(insideOf(component))
  }
}
