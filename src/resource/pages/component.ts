import type { Html } from '../../base/html.js'
import type { Tone } from '../../field/tone.js'
import type { PageButton } from '../action/action.js'
import type { Policy } from '../action/policy.js'
import type { Where } from '../condition/condition.js'
import type { Declared } from '../condition/declared.js'
import type { Reading, ReadingContext } from './figure.js'
import type { Groups } from './groups.js'

/** What every component takes. */
export interface Common {
  /** Who sees it. Users also need the permission for what it shows. Default: everybody who sees the page. */
  readonly can?: Policy
}

/** A heading, made with `heading()`. */
export interface Heading extends Common {
  /** Its kind. */
  readonly is: 'heading'
  /** The text of the heading. */
  readonly text: string
}
/** A paragraph, made with `paragraph()`. */
export interface Paragraph extends Common {
  /** Its kind. */
  readonly is: 'paragraph'
  /** Text, or markup made by `html`. */
  readonly content: string | Html
}
/** A message, made with `alert()`. */
export interface Alert extends Common {
  /** Its kind. */
  readonly is: 'alert'
  /** What it is: `info`, `good`, `warn` or `bad`. */
  readonly tone: Tone
  /** Its first line. */
  readonly title: string
  /** More text; null: none. */
  readonly text: string | null
}
/** A button, made with `actionButton()`. */
export interface ActionButton extends Common {
  /** Its kind. */
  readonly is: 'button'
  /** What it shows and does. */
  readonly button: PageButton
}
/** A state as a word or a number, made with `badge()`. */
export interface Badge extends Common {
  /** Its kind. */
  readonly is: 'badge'
  /** Its name, unique on the page. */
  readonly name: string
  /** How it looks. */
  readonly tone: Tone
  /** What users read beside the value; null: nothing. */
  readonly label: string | null
  /** What it shows. */
  readonly value: Reading
}
/** A progress bar, made with `progress()`. */
export interface Progress extends Common {
  /** Its kind. */
  readonly is: 'progress'
  /** Its name, unique on the page. */
  readonly name: string
  /** What users read beside it. */
  readonly label: string
  /** How far it is. */
  readonly value: Reading
  /** The value at which it is full. */
  readonly max: Reading
}
/** A value under a label, made with `metric()`. */
export interface Metric extends Common {
  /** Its kind. */
  readonly is: 'metric'
  /** Its name, unique on the page. */
  readonly name: string
  /** What users read beside the value. */
  readonly label: string
  /** What it shows. */
  readonly value: Reading
  /** What it is compared with; null: nothing. */
  readonly before: Before | null
  /** Whether it is good or bad if it is more than before; null: neither. */
  readonly rise: 'good' | 'bad' | null
  /** Where it leads: the list of a resource, or a URL; null: nowhere. */
  readonly link: Declared | string | null
}
/** What a value is compared with. */
export interface Before {
  /** Text, a number, a figure, or a function that returns one of the first two. */
  readonly value: Reading
  /** What users read beside it: `last month`. Default: the days, if it is of the period before the one that users choose; else nothing. */
  readonly label?: string
}
/** One of several series of a chart. */
export interface NamedGroups {
  /** What users read in the legend. */
  readonly label: string
  /** Its numbers. All series of a chart are by the same periods. */
  readonly data: Groups
}
/** What a function of yours returns for a chart. */
export interface Charted {
  /** What users read at each group, in the order of the chart. */
  readonly groups: readonly string[]
  /** The series, each with a number for each group; null: none. */
  readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[]
}
/** What a chart shows: groups of records, several series of them, or a function of yours, which may be asynchronous. */
export type ChartSource = Groups | readonly NamedGroups[] | ((context: ReadingContext) => Charted | Promise<Charted>)
/** Numbers as bars, lines or parts of a whole, made with `chart()`. */
export interface Chart extends Common {
  /** Its kind. */
  readonly is: 'chart'
  /** Its name, unique on the page. */
  readonly name: string
  /** Its heading. */
  readonly label: string
  /** How it is drawn; null: periods as columns, else bars. */
  readonly type: 'bar' | 'column' | 'line' | 'doughnut' | null
  /** What it shows. */
  readonly data: ChartSource
}
/** A list of a resource on a page, made with `tableBuilder()`. */
export interface TableBuilder extends Common {
  /** Its kind. */
  readonly is: 'table'
  /** Its name, unique on the page. */
  readonly name: string
  /** Its heading; null: none. */
  readonly title: string | null
  /** The resource, or its URI. */
  readonly resource: Declared | string
  /** The fields and computed values that it shows; null: those of the resource's index page. */
  readonly columns: readonly string[] | null
  /** The condition that records must meet; null: none. */
  readonly where: Where<Record<string, unknown>> | null
  /** The columns to sort by, `-` for descending: `-population`; null: the resource's order. */
  readonly sort: readonly string[] | null
  /** Shows this many rows, without pagination; null: all, in pages. */
  readonly limit: number | null
  /** The page size; null: the resource's. */
  readonly perPage: number | null
  /** Whether it sorts and pages without a reload; null: as the resource. */
  readonly async: boolean | null
}
/** A form of a resource on a page, made with `formBuilder()`. */
export interface FormBuilder extends Common {
  /** Its kind. */
  readonly is: 'form'
  /** Its name, unique on the page. */
  readonly name: string
  /** Its heading; null: none. */
  readonly title: string | null
  /** The resource, or its URI. */
  readonly resource: Declared | string
  /** The fields that it shows; null: all of the resource's form. */
  readonly fields: readonly string[] | null
  /** The key of the record that it edits; null: it creates one. */
  readonly item: string | null
}
/** Components in a card, made with `box()`. */
export interface Box extends Common {
  /** Its kind. */
  readonly is: 'box'
  /** Its heading; null: none. */
  readonly title: string | null
  /** What is in it. */
  readonly components: readonly Component[]
}
/** Components side by side, made with `grid()`. */
export interface Grid extends Common {
  /** Its kind. */
  readonly is: 'grid'
  /** The most components in a row. */
  readonly columns: 2 | 3 | 4
  /** What is in it. */
  readonly components: readonly Component[]
}
/** One of the tabs of `tabs()`. */
export interface Tab {
  /** Selects it in the page's URL: `?{name}={uri}`. */
  readonly uri: string
  /** What users read on the tab. */
  readonly label: string
  /** What is in it. */
  readonly components: readonly Component[]
}
/** Sets of components of which one is shown, made with `tabs()`. */
export interface Tabs extends Common {
  /** Its kind. */
  readonly is: 'tabs'
  /** Its name, unique on the page. */
  readonly name: string
  /** What screen readers call the tabs. */
  readonly label: string
  /** The sets of components. */
  readonly tabs: readonly Tab[]
}
/** Components that load alone, made with `fragment()`. */
export interface Fragment extends Common {
  /** Its kind. */
  readonly is: 'fragment'
  /** Its name, unique on the page. */
  readonly name: string
  /** Whether it loads after the page. */
  readonly deferred: boolean
  /** What users read until it has loaded. */
  readonly label: string
  /** What is in it. */
  readonly components: readonly Component[]
}
/** Components that a button opens over or beside the page, made with `modal()` or `offCanvas()`. */
export interface Modal extends Common {
  /** Its kind. */
  readonly is: 'modal' | 'off-canvas'
  /** Its name, unique on the page. */
  readonly name: string
  /** What users read on the button that opens it. */
  readonly label: string
  /** Its heading. */
  readonly title: string
  /** What is in it. */
  readonly components: readonly Component[]
}

/** A component of a page: frozen data, made by one function for each kind. */
export type Component =
  | Heading
  | Paragraph
  | Alert
  | ActionButton
  | Badge
  | Progress
  | Metric
  | Chart
  | TableBuilder
  | FormBuilder
  | Box
  | Grid
  | Tabs
  | Fragment
  | Modal

/** The series of a chart that are groups of records; a single one has the chart's own label. */
export function namedGroups(label: string, data: Groups | readonly NamedGroups[]): readonly NamedGroups[] {
  return 'of' in data ? [{ label, data }] : data
}

/** The components directly inside another one. */
export function insideOf(component: Component): readonly Component[] {
  if ('tabs' in component) return component.tabs.flatMap((tab) => tab.components)
  return 'components' in component ? component.components : []
}

/** All components, at every level of nesting. */
export function* everyComponent(components: readonly Component[]): Generator<Component> {
  for (const component of components) {
    yield component
    yield* everyComponent(insideOf(component))
  }
}
