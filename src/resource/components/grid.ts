import { a } from '../../base/setting.js'
import { aComponent } from '../model/sorts.js'
import type { Common, Component, Grid } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

/** Components side by side: as many as there is room for, at most `columns`. */
export function grid(columns: 2 | 3 | 4, components: readonly Component[], more: Common = {}): Grid {
  const settings = {
    columns: a.sort('2, 3 or 4', (given) => [2, 3, 4].includes(given as number)),
    components: a.list(aComponent),
    can: a.value,
  }
  refuseWrong('grid()', { columns, components, ...more }, settings, 'components')
  return Object.freeze({ is: 'grid', columns, components: Object.freeze([...components]), ...more })
}
