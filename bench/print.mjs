// Prints the tables of a run.

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function printMachine({ cores, busy, rounds, milliseconds, connections }, database) {
  console.log(`Node ${process.versions.node}, ${process.arch}, ${cores} cores, load ${busy.toFixed(1)} before we began.`)
  console.log(`All servers: ${database}. ${connections} connections, ${rounds} rounds of ${milliseconds} ms, in turns; medians.`)
}

export function printTable(rows, { results, starts, rest, loaded, notes }) {
  console.log(`\n${rows.toLocaleString('en')} posts\n`)
  const lines = results.map(({ name, aim, goal, goalFor, rounds }) => {
    const of = (side, what) => whole(median(rounds.map((round) => round[side][what])))
    const to = (side) => rounds.map((round) => round.ours.rate / round[side].rate)
    const [plain, hand] = [median(to('plain')), median(to('hand'))]
    return [
      name,
      ...['plain', 'hand', 'tricks', 'ours'].map((side) => of(side, 'rate')),
      plain.toFixed(2),
      rangeOf(to('plain')),
      hand.toFixed(2),
      rangeOf(to('hand')),
      median(to('tricks')).toFixed(2),
      ...['plain', 'hand', 'ours'].map((side) => of(side, 'cpu')),
      verdict({ plain, hand }, aim),
      verdict({ plain, hand }, goalFor === undefined || goalFor === rows ? goal : null),
    ]
  })
  table(
    [
      '',
      'plain /s',
      'by hand /s',
      'with tricks /s',
      'ours /s',
      'to plain',
      'min–max',
      'to by hand',
      'min–max',
      'to tricks',
      'plain µs',
      'by hand µs',
      'ours µs',
      'aim',
      'goal',
    ],
    lines,
  )
  const time = (name) => median(results.find((one) => one.name === name).rounds.map(({ ours }) => 1 / ours.rate))
  const depth = time('cursor at 90 %, rows changed') / time('listing, rows changed')
  console.log(`\nA cursor page at 90 % depth takes ${depth.toFixed(2)} of the time of the first page (aim: at most 1.3).`)
  const [hand, ours] = starts
  console.log(`Start to first answer: ${whole(hand.milliseconds)} ms by hand, ${whole(ours.milliseconds)} ms ours.`)
  console.log(
    `Memory: ${whole(hand.answered)} MB by hand and ${whole(ours.answered)} MB ours after the first answer, ${whole(hand.idle)} and ${whole(ours.idle)} MB idle, ${rest} s later; after the run ${whole(loaded[0])} and ${whole(loaded[1])} MB.`,
  )
  for (const note of notes) console.log(`Not comparable: ${note}.`)
}

/** Whether a ratio is as wanted: to both servers, or to the plain one alone. */
function verdict({ plain, hand }, wanted) {
  if (wanted === null) return '–'
  return `${wanted} ${hand >= wanted ? 'met' : plain >= wanted ? 'met of plain' : 'missed'}`
}

const rangeOf = (ratios) => `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
const whole = (number) => Math.round(number).toLocaleString('en')

/** The rate of each server by hand, and of each other one with the ratios to theirs. */
export function printRates(rows, results, names) {
  console.log(`\n${rows.toLocaleString('en')} posts in PostgreSQL\n`)
  const [byHand, others] = [names.slice(0, 2), names.slice(2)]
  const lines = results.map(({ name, rounds }) => {
    const rateOf = (one) => whole(median(rounds.map((round) => round[one].rate)))
    const cells = others.flatMap((other) => {
      if (!rounds[0][other]) return ['–', '–', '–', '–', '–']
      const ratios = byHand.map((one) => rounds.map((round) => round[other].rate / round[one].rate))
      return [rateOf(other), ...ratios.flatMap((all) => [median(all).toFixed(2), rangeOf(all)])]
    })
    return [name, ...byHand.map(rateOf), ...cells]
  })
  const ratios = byHand.flatMap((one) => [`to ${one}`, 'min–max'])
  table(['', ...byHand.map((one) => `${one} /s`), ...others.flatMap((other) => [`${other} /s`, ...ratios])], lines)
}

/** Prints a Markdown table. */
function table(head, lines) {
  const widths = head.map((title, i) => Math.max(title.length, 3, ...lines.map((line) => line[i].length)))
  const row = (cells) => `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`
  console.log(row(head))
  console.log(`|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`)
  for (const line of lines) console.log(row(line))
}
