import type { Period } from './period.js'

/**
 * Periods that are told from now on: how many steps of a period they begin and end from the current one, without the end. A week begins on
 * Monday (ISO 8601).
 */
export const withins = {
  today: ['day', 0, 1],
  yesterday: ['day', -1, 0],
  tomorrow: ['day', 1, 2],
  'last-7-days': ['day', -6, 1],
  'last-30-days': ['day', -29, 1],
  'next-7-days': ['day', 0, 7],
  'next-30-days': ['day', 0, 30],
  'this-week': ['week', 0, 1],
  'last-week': ['week', -1, 0],
  'next-week': ['week', 1, 2],
  'this-month': ['month', 0, 1],
  'last-month': ['month', -1, 0],
  'next-month': ['month', 1, 2],
  'this-quarter': ['quarter', 0, 1],
  'last-quarter': ['quarter', -1, 0],
  'this-year': ['year', 0, 1],
  'last-year': ['year', -1, 0],
} as const satisfies Readonly<Record<string, readonly [every: Period, from: number, until: number]>>

/** The name of such a period, as `filter[createdAt][within]` takes it. The current day is one of the last and of the next days. */
export type Within = keyof typeof withins

export const isWithin = (name: string): name is Within => Object.hasOwn(withins, name)
