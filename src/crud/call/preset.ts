import type { Bound } from '../../field/field.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Order } from '../../store/store.js'

/** How a component shows a list or a form of a resource on a page. */
export interface Preset {
  /** The name of the component, which its parameters and ids carry; null: the page is this list. */
  readonly name: string | null
  /** The URI of the further page whose list it is, by which exports and selections name it; null: they cannot. */
  readonly page: string | null
  /** Its heading; null: none. */
  readonly title: string | null
  /** The fields that it shows; null: those of the resource's page. */
  readonly fields: readonly string[] | null
  /** The condition that records must meet. */
  readonly where: Condition
  /** The sort; null: the resource's. */
  readonly sort: readonly Order[] | null
  /** The page size; null: the resource's. */
  readonly perPage: number | null
  /** Shows this many rows, without further pages; null: no limit. */
  readonly limit: number | null
  /** Whether it sorts and pages without a reload. */
  readonly async: boolean
  /** The record that all of the list belong to, and the field that links them. */
  readonly of?: { readonly field: Bound; readonly key: string }
  /** What users have chosen on the page that narrows it, by its labels. */
  readonly chosen?: readonly string[]
}
