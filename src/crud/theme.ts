/** How light the panel is: `system` leaves it to the device. */
export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]
