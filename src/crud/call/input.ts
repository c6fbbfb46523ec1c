import type { Method } from '../../route/routes.js'

/** Query parameters, in order. */
export type Query = ReadonlyMap<string, readonly string[]>

/** A file that a form sends. */
export interface FormFile {
  /** Its name, as it was sent. */
  readonly name: string
  /** Its bytes. */
  readonly bytes: Uint8Array
}

/**
 * A body, as it was read: JSON values, or the texts of a form. In a form, names that begin with `_` are the panel's: they are in `panel`.
 */
export type Body =
  | { readonly from: 'none' }
  | { readonly from: 'json'; readonly fields: ReadonlyMap<string, unknown> }
  | {
      readonly from: 'form'
      readonly fields: ReadonlyMap<string, readonly string[]>
      readonly panel: ReadonlyMap<string, readonly string[]>
      /** The files that were chosen, by field; absent: none. */
      readonly files?: ReadonlyMap<string, readonly FormFile[]>
      /** What is wrong with them, by field; absent: nothing. */
      readonly faults?: ReadonlyMap<string, readonly string[]>
    }

/** Versions that a caller names; `'*'` is any, if the record exists. */
export type Versions = '*' | readonly string[] | null

/** What a request asks for, without HTTP. */
export interface Input {
  /** The HTTP method, or the one that a form names in `_method`. */
  readonly method: Method
  /** The query parameters. */
  readonly query: Query
  /** The text of `{resourceItem}`; null: none. */
  readonly key: string | null
  /** The body. */
  readonly body: Body
  /** The file that the body is, where the route takes one. */
  readonly upload?: {
    /** Its length in bytes, if it was stated. */
    readonly size: number | null
    /** Its bytes, as they arrive. */
    readonly content: AsyncIterable<Uint8Array>
  }
  /** The versions that the caller accepts: `If-Match` (RFC 9110 §13.1.1), or a form's `_version`. */
  readonly ifMatch: Versions
  /** The versions that the caller excludes: `If-None-Match` of a write (RFC 9110 §13.1.2). */
  readonly ifNoneMatch: Versions
  /** The page that it is on or comes from; null: none that is known. */
  readonly page?: { readonly uri: string; readonly resourceUri: string | null } | null
  /** Path parameters besides the resource and the record: `pageUri`, `field`. */
  readonly params?: ReadonlyMap<string, string>
}
