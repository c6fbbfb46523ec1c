import { a } from '../../base/setting.js'
import type { Chart, ChartSource, Common, NamedGroups } from '../pages/component.js'
import { aGroups } from '../pages/groups.js'
import { refuseWrong } from '../problem.js'

const settings = {
  name: a.text,
  label: a.text,
  data: a.either(a.list(a.form<NamedGroups>({ label: a.text, data: aGroups }, 'label', 'data'), 'a list of series'), a.function, aGroups),
  type: a.literal('bar', 'column', 'line', 'doughnut'),
  can: a.value,
}

/** Numbers by group or over time, as bars, lines or parts of a whole, with a table of the same. Drawn by the server, without script. */
export function chart(
  spec: Common & {
    /** Unique on its page: lower-case letters, digits and hyphens. */
    readonly name: string
    /** Its heading. */
    readonly label: string
    /** What it shows: `groups`, several series of them by the same periods, or a function. */
    readonly data: ChartSource
    /**
     * How it is drawn: `bar` (one below the other), `column`, `line`, or `doughnut`, which is for one series of numbers that are parts of a
     * whole. Default: `column` for periods, else `bar`.
     */
    readonly type?: NonNullable<Chart['type']>
  },
): Chart {
  refuseWrong('chart()', spec, settings, 'name', 'label', 'data')
  return Object.freeze({ ...spec, is: 'chart', type: spec.type ?? null })
}
