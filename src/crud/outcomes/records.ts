// What ends in one record, and in its history.
import type { Bound, Json } from '../../field/field.js'
import type { Sections } from '../../resource/page.js'
import type { TableBuilder } from '../../resource/pages/component.js'
import type { Resource } from '../../resource/resource.js'
import type { StoredFile } from '../../store/files/storage.js'
import type { Row } from '../../store/store.js'
import type { Lens } from '../call/lens.js'
import type { Related } from '../relation/related.js'
import type { NamedRelation } from '../relation/relation.js'
import type { Use } from '../relation/uses.js'
import type { Thread } from './comments.js'
import type { Prefill } from './forms.js'
import type { Listed } from './lists.js'

/** One record. */
export interface Shown {
  /** The kind of outcome. */
  readonly is: 'shown'
  /** The resource. */
  readonly resource: Resource
  /** Turns the row into a record: the fields that the user may see. */
  readonly lens: Lens
  /** The row: values by position. */
  readonly row: Row
  /** The record's key, as text. */
  readonly key: string
  /** The record's version; null: nobody asked for it. */
  readonly version: string | null
  /** The record in JSON, if it is known already; else null. */
  readonly text: string | null
  /** The relations that `include=` asked for. */
  readonly include: readonly NamedRelation[]
  /** The related records. */
  readonly related: Related
  /** How its page groups the fields. */
  readonly sections: Sections
  /** The lists of related records on the detail page. */
  readonly belonging: readonly RelatedList[]
  /** The last comments on the record, on its page; null: they are not shown there. */
  readonly thread: Thread | null
}

/** A list of related records on the detail page. */
export interface RelatedList {
  /** The table that shows it. */
  readonly table: TableBuilder
  /** The resource of its records. */
  readonly resource: Resource
  /** The field of its records that refers to this one. */
  readonly by: Bound
  /** The list; null: it could not be read, which leaves the rest of the page as it is. */
  readonly list: Listed | null
}

/** The history of a record: a page of what writes did to it, the newest first. */
export interface History {
  /** The kind of outcome. */
  readonly is: 'history'
  /** The resource. */
  readonly resource: Resource
  /** Turns the row into a record: the fields that the user may see. */
  readonly lens: Lens
  /** The row as it is stored now: values by position. */
  readonly row: Row
  /** The record's key, as text. */
  readonly key: string
  /** What writes did. */
  readonly entries: readonly HistoryEntry[]
  /** How many entries a page has at most. */
  readonly perPage: number
  /** Whether it is the first page. */
  readonly isFirst: boolean
  /** The cursor of the page with older entries; null: there are none. */
  readonly nextCursor: string | null
  /** The related records that relations led to, where a page shows their labels. */
  readonly related: Related
}

/** A file that a record holds. */
export interface FileSent {
  /** The kind of outcome. */
  readonly is: 'file'
  /** Its path, which never names another content. */
  readonly path: string
  /** Its bytes. */
  readonly file: StoredFile
}

/** What one write did to a record. */
export interface HistoryEntry {
  /** Identifies it. */
  readonly id: number
  /** When it was written. */
  readonly at: Date
  /** What the write did; `restore`: it took a record out of the trash. */
  readonly action: 'create' | 'update' | 'delete' | 'restore'
  /** The id of the user. */
  readonly userId: string
  /** The name that the user had then. */
  readonly userName: string
  /** The fields that it changed, as far as the caller may see them. */
  readonly changes: readonly FieldChange[]
  /** Whether the caller can take it back: some of its values from before are not those of now, and the caller may write them. */
  readonly restores: boolean
}

/** What a write did to a field. */
export interface FieldChange {
  /** The field. */
  readonly field: Bound
  /** Its value before, as in JSON. Of a secret, always null. */
  readonly before: Json
  /** Its value after, as in JSON. Of a secret, always null. */
  readonly after: Json
}

/** A record was created or updated. */
export interface Saved {
  /** The kind of outcome. */
  readonly is: 'saved'
  /** `true`: created; `false`: updated. */
  readonly created: boolean
  /** The resource. */
  readonly resource: Resource
  /** Turns the row into a record: the fields that the user may see. */
  readonly lens: Lens
  /** The row as it is stored now: values by position. */
  readonly row: Row
  /** The record's key, as text. */
  readonly key: string
  /** The record's new version. */
  readonly version: string
  /** The record in JSON, if it is known already; else null. */
  readonly text: string | null
  /** Where a form goes next: to itself, to a new form, back to its page, or to the record (null). */
  readonly next: 'continue' | 'another' | 'back' | null
  /** The page to return to, as the browser sent it: unchecked. */
  readonly back?: string
  /** What the form began with, and the next one begins with, too. */
  readonly begun: Prefill
}

/** A delete that a form asks for the first time: nothing is deleted yet. */
export interface Confirm {
  /** The kind of outcome. */
  readonly is: 'confirm'
  /** The resource. */
  readonly resource: Resource
  /** The keys of the records; null: one record, by its own path. */
  readonly ids: readonly string[] | null
  /** The labels of the records. */
  readonly labels: readonly string[]
  /** How many records there are. */
  readonly count: number
  /** The version that was read, if the delete must name it; else null. */
  readonly version: string | null
  /** How it could be taken back; null: the caller cannot. */
  readonly undo: Undo | null
  /** The key of a single record; null: there are several. */
  readonly key: string | null
  /** What refers to them, so that the database will refuse. */
  readonly uses: readonly Use[]
}

/** Records were deleted. */
export interface Deleted {
  /** The kind of outcome. */
  readonly is: 'deleted'
  /** The resource. */
  readonly resource: Resource
  /** How many records were deleted. */
  readonly count: number
  /** The label of the only record; null: there were several, or nobody is to be told. */
  readonly label: string | null
  /** The page that asked, as the browser sent it: unchecked. */
  readonly back: string
  /** How to take it back; null: the caller cannot, or nobody is to be told. */
  readonly undo: Undo | null
}

/** How to take a delete back: the trash, and the keys of the records in it. */
export interface Undo {
  /** The resource of the trash. */
  readonly trash: Resource
  /** The keys of the records. */
  readonly keys: readonly string[]
  /** The one-time key of its form. Of the delete, not of a page that says so: those are drawn once. */
  readonly once: string
}
