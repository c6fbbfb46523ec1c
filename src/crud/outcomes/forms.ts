// What forms end in, and the checks of them.
import type { DaymarkError } from '../../base/errors.js'
import type { Bound, Json } from '../../field/field.js'
import type { BoundComputed, Resource } from '../../resource/resource.js'
import type { Choice } from '../relation/related-label.js'

/** How what was typed into a field will look. */
export interface Previewed {
  /** The kind of outcome. */
  readonly is: 'previewed'
  /** The field. */
  readonly field: Bound
  /** The value, as it would be stored; null: nothing was typed. */
  readonly value: unknown
}

/** A file that was kept for a record to take. */
export interface Uploaded {
  /** The kind of outcome. */
  readonly is: 'uploaded'
  /** Its path: the value of the field. */
  readonly path: string
  /** Its length in bytes. */
  readonly size: number
}

/** What a new record begins with, as in a URL: texts by field. */
export type Prefill = readonly (readonly [field: string, text: string])[]

/** One control of a form. */
export interface FormField {
  /** The field. */
  readonly field: Bound
  /** What the user typed, or the stored value as the control shows it, or the default. */
  readonly text: string
  /** The stored value as text; null: nothing is stored. */
  readonly stored: string | null
  /** The value that the form starts with, as it is stored; null: none, or only the text that it was prefilled with or that was typed. */
  readonly begins: unknown
  /** The values that the stored one may be changed to, itself first; null: any. */
  readonly next: readonly unknown[] | null
  /** The text when the form was opened. The form sends it along, so that a conflict shows who changed what. */
  readonly was: string
  /** Whether the user left the field as it was when the form was opened. */
  readonly untouched: boolean
  /** What is wrong with the value. */
  readonly errors: readonly string[]
  /** Whether the user may change it. */
  readonly writable: boolean
  /** Why they may not change it in this record, though in others they may; null: they may, or in none. */
  readonly closed: string | null
  /** The related records that `text` and `stored` name, in the order of their labels, as far as the caller may see them. */
  readonly related: readonly Choice[]
  /** The records that a search for a related record found; null: nobody searched. */
  readonly choices: readonly Choice[] | null
  /** What was searched for. */
  readonly searched: string
}

/** A computed value in a form. */
export interface FormComputed {
  /** What it is. */
  readonly computed: BoundComputed
  /** The value of what the form holds; null: there is none, or it cannot be told yet. */
  readonly value: Json
}

/** What a form shows besides its controls. */
interface FormContents {
  /** The names of all that it shows, in their order. */
  readonly names: readonly string[]
  /** The computed values among them. */
  readonly computed: readonly FormComputed[]
}

/** The form of a record. After a refusal, it holds what the user typed. */
export interface Formed extends FormContents {
  /** The kind of outcome. */
  readonly is: 'form'
  /** The page that it is on, if that is not the resource's own form; else null. */
  readonly pageUri: string | null
  /** The resource. */
  readonly resource: Resource
  /** The record's key, as text; null: a new record. */
  readonly key: string | null
  /** The record's label; null: none. */
  readonly label: string | null
  /** The version that the form sends; null: none. */
  readonly version: string | null
  /** The controls. */
  readonly fields: readonly FormField[]
  /** The related records that are edited along with it, by list. */
  readonly nested: readonly FormedNested[]
  /** Why it was refused; null: it was not. With `stale`, the user chooses between what they typed and what is stored now. */
  readonly error: DaymarkError | null
  /** The stored record with every column; null: a new one. */
  readonly record: Readonly<Record<string, unknown>> | null
  /** The one-time key of the form of a new record. */
  readonly once: string
  /** What the URL of the form of a new record says about it. */
  readonly begun: Prefill
  /** The page to return to once it is saved, as the browser sent it: unchecked; empty: none. */
  readonly back: string
  /** The change that the form takes back once it is saved; null: none. */
  readonly restoring: Restoring | null
  /** What the user may do besides. */
  readonly may: {
    /** Whether they may view the record. */
    readonly view: boolean
    /** Whether they may delete the record. */
    readonly delete: boolean
    /** Whether they may create records. */
    readonly create: boolean
  }
}

/** Related records that are edited in the form of the record that they belong to. */
export interface FormedNested {
  /** The name of the list, which the names of its controls begin with. */
  readonly name: string
  /** Its heading. */
  readonly title: string
  /** The resource of the related records. */
  readonly resource: Resource
  /** The relation that links them. */
  readonly by: Bound
  /** The related records, and those that are to become some. */
  readonly rows: readonly FormedRow[]
  /** A new one, as it begins; null: the user may not create any. */
  readonly fresh: FormedRow | null
  /** The most rows. */
  readonly most: number
  /** Whether there are more than the form can hold, which it therefore leaves out. */
  readonly isElsewhere: boolean
  /** What is wrong with the list as a whole. */
  readonly errors: readonly string[]
}

/** A related record in the form of another one. */
export interface FormedRow extends FormContents {
  /** The key, as text; null: a new one. */
  readonly key: string | null
  /** The label; null: a new one. */
  readonly label: string | null
  /** The version that the form sends; null: none. */
  readonly version: string | null
  /** What it began with, as the form sends it; null: a new one. */
  readonly was: string | null
  /** Whether it is to be deleted. */
  readonly isDeleted: boolean
  /** Whether it becomes a record only if something is filled in. */
  readonly isSpare: boolean
  /** Whether the user may delete it; a new one can always be taken back. */
  readonly mayDelete: boolean
  /** The controls. */
  readonly fields: readonly FormField[]
  /** What is wrong with the record as a whole. */
  readonly errors: readonly string[]
}

/** A change that a form takes back: it begins with the values from before. */
export interface Restoring {
  /** When the change was made. */
  readonly at: Date
  /** Who made it, by the name they had then. */
  readonly userName: string
  /** The stored values of before, by field: those that the caller can write, and that are others now. */
  readonly values: ReadonlyMap<Bound, unknown>
}

/** The content of a form could be saved. */
export interface Valid {
  /** The kind of outcome. */
  readonly is: 'valid'
  /** The resource. */
  readonly resource: Resource
  /** What the form would show. */
  readonly would: Would
  /** What is wrong, if who asked wants to be told rather than refused; null: nothing. */
  readonly wrong: DaymarkError | null
}

/** What a form would show with what is typed so far, by the names under which errors are said: `total`, `lines.0.total`. */
export interface Would {
  /** The computed values that the form shows. */
  readonly computed: ReadonlyMap<string, WouldBe>
  /** The blank fields that a chosen record fills. */
  readonly filled: ReadonlyMap<string, WouldBe>
}

/** One value of them. */
export interface WouldBe {
  /** As in JSON; null: none, or it cannot be told yet. */
  readonly value: Json
  /** The text that stands for it: of a computed value as users read it, else as a control holds it; null: none. */
  readonly text: string | null
}
