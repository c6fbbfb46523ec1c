// What pages of components end in, and what their components have read.
import type { DaymarkError } from '../../base/errors.js'
import type { Bound, Json } from '../../field/field.js'
import type { Shade } from '../../field/tone.js'
import type { PageButton } from '../../resource/action/action.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import type { Badge, Chart, Component, FormBuilder, Progress as Meter, Metric, TableBuilder, Tabs } from '../../resource/pages/component.js'
import type { Page } from '../../resource/pages/own-page.js'
import type { Resource } from '../../resource/resource.js'
import type { Query } from '../call/input.js'
import type { Formed } from './forms.js'
import type { Listed, ListedRow, ShownFilter, Streamed } from './lists.js'

/** The first page: the resources that the user may list. */
export interface Home {
  /** The kind of outcome. */
  readonly is: 'home'
  /** The resources that the user may list. */
  readonly resources: readonly Resource[]
}

/** What was read for the value of a component. */
export interface ReadValue {
  /** The value, as in JSON. */
  readonly value: Json
  /** The field whose kind shows the value; null: none. */
  readonly field: Bound | null
  /** The stored value, if there is a field. */
  readonly stored: unknown
  /** The record that has the value; null: none. */
  readonly record: { readonly resource: Resource; readonly key: string; readonly label: string } | null
}

/** A group of a chart: a value of a column, or a period. */
export interface ChartGroup {
  /** What users read. */
  readonly label: string
  /** The same for an axis, as short as possible. */
  readonly short: string
  /** Its value, as in JSON: of a period, its beginning. Null: its records have none; `undefined`: no value forms it. */
  readonly wire: Json | undefined
  /** The end of a period, which is not in it, as in JSON; null: it is none. */
  readonly until: Json
  /** Whether it is the period that is not over yet. */
  readonly isCurrent: boolean
  /** Whether it is all records that are in none of the others. */
  readonly isOthers: boolean
  /** What its value means, by which it is coloured; null: nothing. */
  readonly tone: Shade | null
  /** The list of its records, by its resource and filters; null: no list can show them. */
  readonly link: { readonly resource: Resource; readonly query: readonly (readonly [name: string, text: string])[] } | null
}

/** A series of a chart. */
export interface ChartSeries {
  /** What users read. */
  readonly label: string
  /** The field that shows the numbers as its own, with its decimals; null: none does. */
  readonly field: Bound | null
  /** The value that forms the series, as in JSON. Null: its records have none; `undefined`: no value forms it. */
  readonly wire: Json | undefined
  /** Whether it is all records that are in none of the others. */
  readonly isOthers: boolean
  /** What its value means, by which it is coloured; null: nothing. */
  readonly tone: Shade | null
  /** The number of each group; null: there is none. */
  readonly values: readonly (number | null)[]
}

/** What a chart shows. */
export interface ChartRead {
  /** Whether its groups are periods. */
  readonly isOverTime: boolean
  /** The days that it is about, in words; null: any. */
  readonly days: string | null
  /** Whether the series are parts of a whole, which is their sum. */
  readonly isWhole: boolean
  /** The groups, in the order of the chart. */
  readonly groups: readonly ChartGroup[]
  /** The series. */
  readonly series: readonly ChartSeries[]
  /** Whether there are more groups or series than it shows. */
  readonly hasMore: boolean
}

/** A component with what was read for it. Components that the user may not see are left out. */
export type Filled =
  | { readonly is: 'plain'; readonly component: Extract<Component, { is: 'heading' | 'paragraph' | 'alert' }> }
  | {
      readonly is: 'group'
      readonly component: Extract<Component, { is: 'box' | 'grid' | 'fragment' | 'modal' | 'off-canvas' }>
      readonly inside: readonly Filled[]
    }
  /** A fragment that is asked for later. */
  | { readonly is: 'deferred'; readonly component: Extract<Component, { is: 'fragment' }> }
  | { readonly is: 'button'; readonly button: FilledButton; readonly at: PageAt }
  | { readonly is: 'tabs'; readonly component: Tabs; readonly tabs: readonly FilledTab[]; readonly current: string }
  | { readonly is: 'table'; readonly component: TableBuilder; readonly list: Listed }
  | { readonly is: 'form'; readonly component: FormBuilder; readonly form: Formed; readonly at: PageAt }
  | {
      readonly is: 'metric'
      readonly component: Metric
      readonly value: ReadValue
      /** What the value is compared with; null: nothing. */
      readonly before: ReadValue | null
      readonly link: Resource | string | null
      /** The filters of the list that it leads to. */
      readonly query: readonly (readonly [name: string, text: string])[]
    }
  | { readonly is: 'badge'; readonly component: Badge; readonly value: ReadValue }
  | { readonly is: 'chart'; readonly component: Chart; readonly read: ChartRead }
  | { readonly is: 'progress'; readonly component: Meter; readonly value: ReadValue; readonly max: ReadValue }

/** A button of a page that the user may use. */
export interface FilledButton {
  /** The button, as declared. */
  readonly button: PageButton
  /** Its number among the buttons of its page. */
  readonly number: number
  /** What it runs; null: it fires an event or leads elsewhere. */
  readonly action: BoundAction | null
  /** The resource whose handler it runs; null: it calls a method of the page. */
  readonly resource: Resource | null
}

/** One of several tabs. */
export interface FilledTab {
  /** Selects the tab in the page's URL. */
  readonly uri: string
  /** What users read on the tab. */
  readonly label: string
  /** Its components; null: the tab is not shown, and was not read. */
  readonly inside: readonly Filled[] | null
}

/** Which page it is: one of a resource, or of the panel. */
export interface PageAt {
  /** The resource; null: the panel. */
  readonly resource: Resource | null
  /** The URI of the page; `home` is the panel's first page. */
  readonly uri: string
  /** The key of the record that the page shows; null: none. */
  readonly key: string | null
}

/** A page of components. */
export interface Composed {
  /** The kind of outcome. */
  readonly is: 'composed'
  /** Which page it is. */
  readonly at: PageAt
  /** The page, as declared. */
  readonly page: Page
  /** The buttons beside its heading. */
  readonly buttons: readonly FilledButton[]
  /** What users choose on it, as it was chosen. */
  readonly filters: readonly ShownFilter[]
  /** The components that the user may see. */
  readonly inside: readonly Filled[]
  /** Why a form on it was refused. */
  readonly error?: DaymarkError | null
  /** The query of its URL, if the page is shown in answer to a form on it. */
  readonly query?: Query
}

/** A part of a page. */
export interface Part {
  /** The kind of outcome. */
  readonly is: 'part'
  /** Which page it is a part of. */
  readonly at: PageAt
  /** The list, the row or the component. */
  readonly content: Listed | Streamed | ListedRow | Filled
}
