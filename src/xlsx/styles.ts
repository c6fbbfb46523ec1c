import { attribute, scan } from './scan.js'

/** The styles of cells that show a number as a date or time, by their numbers. */
export async function dateStyles(xml: string | null): Promise<ReadonlySet<number>> {
  const formats = new Map<number, boolean>()
  const dates = new Set<number>()
  let [inCells, count] = [false, 0]
  if (xml === null) return dates
  await scan(xml, {
    open: (name, attributes) => {
      if (name === 'numFmt') formats.set(Number(attribute(attributes, 'numFmtId')), isDate(attribute(attributes, 'formatCode') ?? ''))
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells) return
      const id = Number(attribute(attributes, 'numFmtId') ?? 0)
      if (isBuiltIn(id) || formats.get(id)) dates.add(count)
      count++
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return dates
}

/** The formats of dates and times that need no code (ECMA-376, 18.8.30), with those of East Asia. */
const isBuiltIn = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Whether a format has parts of a date or time outside of what it shows as it is. Hours of a duration are numbers. */
function isDate(code: string): boolean {
  const [first = ''] = code.split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return false
  // What has no end goes to the end, so that it isn't looked for from each beginning.
  return /[dmyhs]/i.test(first.replace(/"[^"]*(?:"|$)|\\.|_.|\*.|\[[^\]]*(?:\]|$)/g, ''))
}
