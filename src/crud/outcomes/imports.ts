// What imports end in.
import type { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import type { Resource } from '../../resource/resource.js'
import type { FileFormat } from '../realm/file-format.js'

/** The form of an import of records. */
export interface Importing {
  /** The kind of outcome. */
  readonly is: 'importing'
  /** The resource. */
  readonly resource: Resource
  /** What the caller may do by an import: create records, change those that the rows name, or either. */
  readonly modes: readonly ImportMode[]
  /** What is asked for; else the first of them. */
  readonly mode: ImportMode
  /** The fields that rows may hold. */
  readonly fields: readonly Bound[]
  /** The field that names the records to change; null: the caller may change none, or may not see it. */
  readonly key: Bound | null
  /** The fields by whose values, together, they are found besides; empty: by the key alone. */
  readonly match: readonly Bound[]
  /** The fields of related records whose values, together, name them besides their key and label, by the field that relates them. */
  readonly related: ReadonlyMap<Bound, readonly Bound[]>
  /** What a file that was checked would do; null: none was. */
  readonly checked: ImportCheck | null
  /** What the columns of the sent file are taken for; null: no file was sent, or none that can be read. */
  readonly columns: FileColumns | null
  /** Why the import was refused; null: it was not. */
  readonly error: DaymarkError | null
  /** A key to send along, so that a form that is sent twice writes once. */
  readonly once: string
}

/** An empty file of the columns that an import takes. */
export interface ImportTemplate {
  /** The kind of outcome. */
  readonly is: 'importTemplate'
  /** The resource. */
  readonly resource: Resource
  /** The fields that it has columns for. */
  readonly fields: readonly Bound[]
  /** The fields of related records whose values, together, name them besides their key and label, by the field that relates them. */
  readonly related: ReadonlyMap<Bound, readonly Bound[]>
  /** The format of the file; null: CSV. */
  readonly format: FileFormat | null
}

/** What an import has done, or would do. */
export interface ImportCounts {
  /** How many records it creates. */
  readonly created: number
  /** How many records it changes. */
  readonly updated: number
  /** How many rows are as their records are. */
  readonly unchanged: number
  /** The names of the columns that are not imported: nobody writes what they show, or not this caller. */
  readonly ignored: readonly string[]
}

/** What an import would do. */
export interface ImportCheck extends ImportCounts {
  /** The labels of the fields that its file has columns for. */
  readonly fields: readonly string[]
  /** What its rows find records by, for a text; empty: nothing. */
  readonly named: string
}

/** Records were imported. */
export interface Imported extends ImportCounts {
  /** The kind of outcome. */
  readonly is: 'imported'
  /** The resource. */
  readonly resource: Resource
}

/** What the rows of an import do: create records, change those that they name, or either. */
export type ImportMode = 'create' | 'update' | 'both'

/** What the columns of a file are taken for, for its sender to say otherwise. */
export interface FileColumns {
  /** Tells them from those of another file. */
  readonly mark: string
  /** The columns, in the order of the file. */
  readonly columns: readonly FileColumn[]
  /** What a column may be called. */
  readonly names: readonly ColumnName[]
}

/** A column of a file, and what it is taken for. */
export interface FileColumn {
  /** Its place, beginning with 1. */
  readonly number: number
  /** What the file calls it. */
  readonly name: string
  /** Its first text that is not empty. */
  readonly sample: string
  /** What it is taken for, one of the names: an empty text if it is left out; null: it is for no field. */
  readonly called: string | null
  /** What it may be meant to be called, if it is for no field. */
  readonly guess: string | null
}

interface ColumnName {
  readonly name: string
  /** As users read it. */
  readonly label: string
}
