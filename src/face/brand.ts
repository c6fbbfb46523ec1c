/** The name, logo and colour of a panel. */
export interface Brand {
  /** The name on its pages. */
  readonly name: string
  /** The URL of an image on your own host; null: Daymark's logo. */
  readonly logo: string | null
  /** A colour `#rrggbb`, made readable in both themes; null: Daymark's colour. */
  readonly accent: string | null
}
