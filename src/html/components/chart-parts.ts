import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'

export interface ChartView {
  readonly name: string
  readonly label: string
  /** The URL of this component alone. */
  readonly url: string
  readonly type: 'bar' | 'column' | 'line' | 'doughnut'
  readonly groups: readonly GroupView[]
  readonly series: readonly SeriesView[]
  /** Whether the series are parts of a whole: then they are stacked. */
  readonly stacked: boolean
  /** The whole of each group, if it is stacked. */
  readonly totals: readonly NumberView[]
  /** A number at a line of the scale, as text. */
  scaleText(value: number): string
  /** A share, from 0 to 1, as text. */
  shareText(share: number): string
  readonly wholeNumbers: boolean
  /** What it does not show; null: nothing. */
  readonly note: string | null
  /** The days that it is about, in words; null: any. */
  readonly days: string | null
}

export interface GroupView {
  readonly label: string
  readonly short: string
  /** The list of its records; null: there is none. */
  readonly href: string | null
  /** Whether it is a period that is not over. */
  readonly current: boolean
  /** Its colour, where groups have one: as of a series. */
  readonly tone: string
  /** Its colour where there is one series; null: that of the series. */
  readonly alone: string | null
}

export interface SeriesView {
  readonly label: string
  /** Its colour: `1` to `5`, one of a meaning (`good`, `good-2`), or `others`. */
  readonly tone: string
  readonly values: readonly NumberView[]
}

export interface NumberView {
  /** Null: there is none. */
  readonly value: number | null
  readonly text: string
}

/** The colour of a series. */
export function swatch(tone: string): Html {
  return html`<svg class="swatch tone-${tone}" aria-hidden="true" viewBox="0 0 10 10"><rect width="10" height="10" rx="2"/></svg>`
}

/** A percentage in a drawing. Hundredths are finer than any screen. */
export function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`
}

/** The name of a group, as a link to its records if there is one. */
export function groupName({ label, href, current }: GroupView, t: Translate): Html {
  const text = current ? t('chart.soFar', { label }) : label
  return href === null ? html`${text}` : html`<a href="${href}">${text}</a>`
}
