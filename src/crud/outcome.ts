import type { Identity, Session } from '../auth/identity.js'
import type { Grant } from '../auth/pipeline.js'
import { DaymarkError } from '../base/errors.js'
import type { Bound, Json } from '../field/field.js'
import type { Answer, PageButton } from '../resource/action.js'
import type { BoundAction } from '../resource/bind-action.js'
import type { Badge, Component, FormBuilder, Progress as Meter, Metric, TableBuilder, Tabs } from '../resource/component.js'
import type { Page } from '../resource/own-page.js'
import type { Resource } from '../resource/resource.js'
import type { Job } from '../store/panel/jobs.js'
import type { Row } from '../store/store.js'
import type { Call, Preset, Query } from './call.js'
import type { Chosen } from './chosen.js'
import type { Lens } from './lens.js'
import type { Listing } from './list-query.js'
import type { Related, Relation } from './related.js'
import type { Theme } from './theme.js'

export interface Home {
  readonly is: 'home'
  /** What the caller may list. */
  readonly resources: readonly Resource[]
}
/** What a person chose for their panel. */
export interface Preferred {
  readonly is: 'preferred'
  readonly chosen: Chosen
  readonly changed: boolean
  /** The theme that was chosen just now: a browser remembers it for who is not signed in yet. */
  readonly theme: Theme | null
  /** The list that was given a name. */
  readonly saved: { readonly resource: Resource; readonly query: string } | null
}
export interface Healthy {
  readonly is: 'healthy'
}
/** What a page knows of the relations that a list may be filtered by. */
export interface FilterRelations {
  /** The records that the filters in force name. */
  readonly named: Related
  /** What was searched to filter by, `?_find[field]=`, and what was found, by field. */
  readonly found: ReadonlyMap<string, SearchedFilter>
}

/** What was searched to filter by, and what was found. */
export interface SearchedFilter {
  readonly query: string
  readonly choices: readonly Choice[]
}
export interface Listed {
  readonly is: 'listed'
  readonly resource: Resource
  readonly lens: Lens
  readonly listing: Listing
  /** The relations among its filters. */
  readonly asked: FilterRelations
  /** What a page says of it; null: the resource's own list. */
  readonly preset: Preset | null
  readonly rows: readonly Row[]
  /** Null where nothing was counted. */
  readonly total: { readonly count: number; readonly exact: boolean } | null
  /** Where no total says so: whether there are rows behind these. */
  readonly goesOn: boolean
  readonly nextCursor: string | null
  readonly prevCursor: string | null
  readonly related: Related
}
/** Some rows of a list that has no pages. */
export interface Chunk {
  readonly rows: readonly Row[]
  readonly related: Related
}
/** A list without pages: all rows, read while they are sent. */
export interface Streamed {
  readonly is: 'streamed'
  readonly resource: Resource
  readonly lens: Lens
  readonly listing: Listing
  /** The relations among its filters. */
  readonly asked: FilterRelations
  readonly preset: Preset | null
  readonly chunks: AsyncIterable<Chunk>
}
/** All rows of a list, to be kept as a file: read while they are sent. */
export interface Exported {
  readonly is: 'exported'
  readonly resource: Resource
  readonly lens: Lens
  readonly chunks: AsyncIterable<Chunk>
  /** The relations that are written by their labels, too. */
  readonly relations: readonly Relation[]
}
/** One row of a list, as the list shows it. */
export interface ListedRow {
  readonly is: 'row'
  readonly resource: Resource
  readonly lens: Lens
  readonly preset: Preset | null
  readonly row: Row
  readonly related: Related
  /** The number that it has on its page. */
  readonly number: number
}
/** What was read for a value: as it stands, or of a record. */
export interface Read {
  readonly value: Json
  /** The field whose kind says how the value is shown. */
  readonly field: Bound | null
  /** The stored value, where there is a field. */
  readonly stored: unknown
  /** The record that has it. */
  readonly record: { readonly resource: Resource; readonly key: string; readonly label: string } | null
}
/** A component with what was read for it. One that the caller may not see is not there. */
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
  | { readonly is: 'metric'; readonly component: Metric; readonly value: Read; readonly link: Resource | string | null }
  | { readonly is: 'badge'; readonly component: Badge; readonly value: Read }
  | { readonly is: 'progress'; readonly component: Meter; readonly value: Read; readonly max: Read }
/** A button of a page, for who may do what it does. */
export interface FilledButton {
  readonly button: PageButton
  /** Its number among the buttons of its page. */
  readonly number: number
  /** What it runs; null: an event, or a way elsewhere. */
  readonly action: BoundAction | null
  /** Whose handler that is; null: a method of the page. */
  readonly resource: Resource | null
}
export interface FilledTab {
  readonly uri: string
  readonly label: string
  /** Null: not the one that is shown, and not read. */
  readonly inside: readonly Filled[] | null
}
/** Where a page is: of a resource, or of the panel. */
export interface PageAt {
  readonly resource: Resource | null
  /** `home`: the panel's first page. */
  readonly uri: string
  readonly key: string | null
}
/** A page made of components. */
export interface Composed {
  readonly is: 'composed'
  readonly at: PageAt
  readonly page: Page
  readonly buttons: readonly FilledButton[]
  readonly inside: readonly Filled[]
  /** Why a form of it was refused. */
  readonly error?: DaymarkError | null
  /** The query of its address, where it is shown for what a form of it asked. */
  readonly query?: Query
}
/** A part of a page. */
export interface Part {
  readonly is: 'part'
  readonly at: PageAt
  readonly content: Listed | Streamed | ListedRow | Filled
}
export interface Shown {
  readonly is: 'shown'
  readonly resource: Resource
  readonly lens: Lens
  readonly row: Row
  readonly key: string
  readonly version: string | null
  /** The record in JSON, where that is known already. */
  readonly text: string | null
  /** What `include=` asked for. */
  readonly include: readonly Relation[]
  readonly related: Related
  readonly belonging: readonly Belonging[]
}
/** A list of what belongs to a record, on its page. */
export interface Belonging {
  readonly table: TableBuilder
  readonly resource: Resource
  /** The field by which they belong. */
  readonly by: Bound
  /** Null: it could not be read, which takes nothing from the rest of the page. */
  readonly list: Listed | null
}
export interface Saved {
  readonly is: 'saved'
  readonly created: boolean
  readonly resource: Resource
  readonly lens: Lens
  readonly row: Row
  readonly key: string
  readonly version: string
  /** The record in JSON, where that is known already. */
  readonly text: string | null
  /** Where a form wants to go on: to its form, to a new one, back to where it stands, or to the record. */
  readonly next: 'continue' | 'another' | 'back' | null
  /** Where it stands: whatever somebody sent, to be looked at before anybody is sent there. */
  readonly back?: string
  /** What its form began with; a further one begins with it, too. */
  readonly begun: Begun
}
/** What an address says that a new record begins with: texts by field. */
export type Begun = readonly (readonly [field: string, text: string])[]
/** One control of a form. */
export interface FormField {
  readonly field: Bound
  /** What was typed, or the stored value as a control shows it, or the default. */
  readonly text: string
  /** The stored value's text; null where nothing is stored. */
  readonly stored: string | null
  /** The text that was there when the form was opened; a form carries it along, so that a conflict knows who changed what. */
  readonly was: string
  /** Whether what was sent is what was there when the form was opened. */
  readonly untouched: boolean
  readonly errors: readonly string[]
  readonly writable: boolean
  /** The label of the related record that `text` names. */
  readonly related: string | null
  /** What a search for a related record found, where one was asked for. */
  readonly choices: readonly Choice[] | null
  /** What was searched for. */
  readonly searched: string
}
/** A related record to choose. */
export interface Choice {
  readonly key: string
  readonly label: string
}
/** The page that makes or edits a record; also after a refusal, with what was typed. */
export interface Formed {
  readonly is: 'form'
  /** The page that it is on, where that is not the resource's own form; what it is drawn on again. */
  readonly pageUri: string | null
  readonly resource: Resource
  /** Null: a new record. */
  readonly key: string | null
  /** What labels the record. */
  readonly label: string | null
  readonly version: string | null
  readonly fields: readonly FormField[]
  /** Why it was refused; `stale` asks to choose between what was typed and what is stored now. */
  readonly error: DaymarkError | null
  /** The stored record with every column; null: a new one. */
  readonly record: Readonly<Record<string, unknown>> | null
  /** The one-time key of a new record's form. */
  readonly once: string
  /** What the address of a new record's form says of it. */
  readonly begun: Begun
  readonly may: { readonly view: boolean; readonly delete: boolean; readonly create: boolean }
}
/** A delete that a form asks for the first time: nothing is deleted yet. */
export interface Confirm {
  readonly is: 'confirm'
  readonly resource: Resource
  /** Null: of one record, by its own path. */
  readonly ids: readonly string[] | null
  readonly labels: readonly string[]
  readonly count: number
  /** What was read, where the delete has to name it. */
  readonly version: string | null
}
/** What a handler or a method said when it was done. */
export interface Acted {
  readonly is: 'acted'
  readonly answer: Answer
  /** Where its form was opened: whatever somebody sent, to be looked at before anybody is sent there. */
  readonly back: string
}
/** The form of an action, before it acts. */
export interface Asked {
  readonly is: 'asked'
  /** Null: of a method of a page, which has no records. */
  readonly resource: Resource | null
  readonly action: BoundAction
  readonly fields: readonly FormField[]
  /** The first of the selected records. */
  readonly labels: readonly string[]
  readonly count: number
  readonly confirm: string | null
  /** Whether something is lost by it. */
  readonly danger: boolean
  /** What says again from which page and button it comes. */
  readonly from: readonly (readonly [name: string, value: string])[]
  /** What says again which records are meant. */
  readonly subject: readonly (readonly [name: string, value: string])[]
  readonly error: DaymarkError | null
  readonly once: string
  readonly back: string
}
/** A long handler: that it has begun, or how far it is. */
export interface JobShown {
  readonly is: 'job'
  readonly job: Job
  readonly started: boolean
}
/** A long handler, each time that it has come further, to its end. */
export interface Progress {
  readonly is: 'progress'
  readonly states: AsyncIterable<Job | null>
}
/** What a form holds could be saved. */
export interface Valid {
  readonly is: 'valid'
  readonly resource: Resource
}
/** Related records that match a search. */
export interface Found {
  readonly is: 'found'
  readonly resource: Resource
  readonly field: Bound
  readonly query: string
  readonly choices: readonly Choice[]
}
/** Where one may go, by what was typed. */
export interface Palette {
  readonly is: 'palette'
  readonly query: string
  readonly lists: readonly Resource[]
  /** The panel's first page and its own, in the order in which they are declared. */
  readonly pages: readonly PageFound[]
  /** Where a record can be made. */
  readonly creates: readonly Resource[]
  readonly profile: boolean
  readonly within: readonly FoundWithin[]
}
export interface PageFound {
  readonly at: PageAt
  readonly title: string
}
/** What was found of one resource. */
export interface FoundWithin {
  readonly resource: Resource
  readonly pages: readonly PageFound[]
  readonly choices: readonly Choice[]
  /** Whether there are more records than these. */
  readonly more: boolean
}
export interface Deleted {
  readonly is: 'deleted'
  readonly resource: Resource
  readonly count: number
  /** What the one record was called; null where there were more, or nobody was to be told. */
  readonly label: string | null
  /** Where one was asked whether one meant it: whatever somebody sent, to be looked at before anybody is sent there. */
  readonly back: string
}
/** A body or a query that breaks the rules. */
export interface Invalid {
  readonly is: 'invalid'
  readonly error: DaymarkError
  readonly call: Call | null
}
/** The record is not the one that the caller had read. */
export interface Stale {
  readonly is: 'stale'
  readonly error: StaleError
  readonly call: Call | null
}
/** The page on which one signs in; after a refusal, with what was typed. */
export interface SignIn {
  readonly is: 'signIn'
  readonly username: string
  readonly remember: boolean
  /** Where one was going: whatever somebody sent, to be looked at before anybody is sent there. */
  readonly to: string
  readonly error: DaymarkError | null
}
/** Somebody is in. */
export interface SignedIn {
  readonly is: 'signedIn'
  readonly identity: Identity
  /** Null: they had been signed in before. */
  readonly grant: Grant | null
  readonly to: string
}
export interface Refreshed {
  readonly is: 'refreshed'
  readonly grant: Grant
}
/** A session has ended, or several: this one, too, where `self` says so. */
export interface SignedOut {
  readonly is: 'signedOut'
  readonly self: boolean
  readonly count: number
}
/** Who one is, and where one is signed in. */
export interface Profile {
  readonly is: 'profile'
  readonly identity: Identity
  readonly timeZone: string | null
  readonly sessions: readonly Session[]
  /** The session that asks. */
  readonly current: string | null
  /** What can be changed. */
  readonly editable: { readonly name: boolean; readonly password: boolean; readonly timeZone: boolean }
  /** What was typed, after a refusal. */
  readonly typed: Readonly<Record<string, string>>
  readonly error: DaymarkError | null
  readonly changed: boolean
}
/** A link that sets a new password: the form behind it, or that it is done. */
export interface ResetPassword {
  readonly is: 'reset'
  readonly username: string
  readonly done: boolean
  readonly error: DaymarkError | null
}
/** What a plugin answers: data for programs, and for people a page by its name. */
export interface Answered {
  readonly is: 'answered'
  readonly data: object
  /** The name of its page; without one, people get the data, too. */
  readonly view?: string | null
}
export interface Unauthenticated {
  readonly is: 'unauthenticated'
  readonly error: DaymarkError
}
export interface Refused {
  readonly is: 'refused'
  readonly error: DaymarkError
}

/** All that a verb can end in, and all that a face must be able to say. */
export type Outcome =
  | Home
  | Healthy
  | Preferred
  | Listed
  | Streamed
  | Exported
  | Part
  | Composed
  | Shown
  | Formed
  | Confirm
  | Found
  | Acted
  | Asked
  | JobShown
  | Progress
  | Valid
  | Palette
  | Saved
  | Deleted
  | Invalid
  | Stale
  | SignIn
  | SignedIn
  | Refreshed
  | SignedOut
  | Profile
  | ResetPassword
  | Answered
  | Unauthenticated
  | Refused

/** Thrown inside a write when the version does not match: it carries what is stored now, as this caller may see it; null: they may not. */
export class StaleError extends DaymarkError {
  readonly current: { readonly lens: Lens; readonly row: Row; readonly version: string } | null
  constructor(message: string, current: StaleError['current']) {
    super('stale', message)
    this.current = current
  }
}

/** What was thrown, as an Outcome. Anything that is no DaymarkError is ours to answer for: the caller learns nothing of it. */
export function outcomeOf(thrown: unknown, call: Call | null): Outcome {
  if (thrown instanceof StaleError) return { is: 'stale', error: thrown, call }
  if (!(thrown instanceof DaymarkError))
    return { is: 'refused', error: new DaymarkError('internal', 'Something went wrong on our side', { cause: thrown }) }
  if (thrown.code === 'invalid') return { is: 'invalid', error: thrown, call }
  if (thrown.code === 'unauthenticated') return { is: 'unauthenticated', error: thrown }
  return { is: 'refused', error: thrown }
}
