import type { Common, Component, Grid } from '../pages/component.js'

/** Components side by side: as many as there is room for, at most `columns`. */
export function grid(columns: 2 | 3 | 4, components: readonly Component[], more: Common = {}): Grid {
  return Object.freeze({ is: 'grid', columns, components: Object.freeze([...components]), ...more })
}
