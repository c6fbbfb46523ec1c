/** The themes of the pages. `system` follows the device. */
export const themes = ['light', 'dark', 'system'] as const
/** A theme of the pages: `system` follows the device. */
export type Theme = (typeof themes)[number]
