/** What users read when the database refuses a write: a text about the record, or texts by field. */
export type ConstraintText<K extends string = string> = string | { readonly [field in K]?: string }

/** Texts by the name of the constraint, of the unique index, or of what a trigger raises. */
export interface Constraints<K extends string = string> {
  readonly [constraint: string]: ConstraintText<K>
}
