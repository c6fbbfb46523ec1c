// What searches end in.
import type { Bound } from '../../field/field.js'
import type { Resource } from '../../resource/resource.js'
import type { Choice } from '../relation/related-label.js'
import type { PageAt } from './pages.js'

/** Related records that match a search. */
export interface Found {
  /** The kind of outcome. */
  readonly is: 'found'
  /** The resource that was searched from. */
  readonly resource: Resource
  /** The relation, or the key if the records are those of the resource itself; null: a key that is no field that the caller may see. */
  readonly field: Bound | null
  /** What was searched for. */
  readonly query: string
  /** The records that were found. */
  readonly choices: readonly Choice[]
}

/** Where the user may go, by what they typed. */
export interface Palette {
  /** The kind of outcome. */
  readonly is: 'palette'
  /** What the user typed. */
  readonly query: string
  /** The resources that the user may list. */
  readonly lists: readonly Resource[]
  /** The panel's first page and its own pages, in order. */
  readonly pages: readonly PageFound[]
  /** The resources in which the user may create a record. */
  readonly creates: readonly Resource[]
  /** Whether to offer the profile page. */
  readonly profile: boolean
  /** What was found in each resource. */
  readonly within: readonly FoundWithin[]
}

/** A page to go to. */
export interface PageFound {
  /** Which page it is. */
  readonly at: PageAt
  /** Its title. */
  readonly title: string
}

/** What was found in one resource. */
export interface FoundWithin {
  /** The resource. */
  readonly resource: Resource
  /** The pages that were found. */
  readonly pages: readonly PageFound[]
  /** The records that were found. */
  readonly choices: readonly Choice[]
  /** Whether there are more records than these. */
  readonly more: boolean
}
