/** What makes a panel look like its owner's. */
export interface Brand {
  readonly name: string
  /** The URL of an image, in place of our mark. */
  readonly logo: string | null
  /** `#rrggbb`, in place of our accent. */
  readonly accent: string | null
}
