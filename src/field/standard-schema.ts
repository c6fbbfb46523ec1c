/** A schema of any library that implements Standard Schema v1 (https://standardschema.dev), such as zod, valibot or arktype. */
export interface StandardSchema<Output = unknown> {
  /** What the specification calls the Standard Schema properties. */
  readonly '~standard': {
    /** The version of the specification. */
    readonly version: 1
    /** The name of the library. */
    readonly vendor: string
    /** Returns the value, or what is wrong with it; at once or later. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  }
}

/** The result of a validation: the value, or what is wrong with it. */
export type StandardResult<Output = unknown> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: unknown }[] }
