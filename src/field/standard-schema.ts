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
  | {
      /** The value, if it is valid. */
      readonly value: Output
      /** Not with a valid value. */
      readonly issues?: undefined
    }
  | {
      /** What is wrong with the value. */
      readonly issues: readonly {
        /** The text for the user. */
        readonly message: string
        /** Where in the value it is. */
        readonly path?: unknown
      }[]
    }
