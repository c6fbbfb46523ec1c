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

export function printTable(rows, { results, starts, loaded, notes }) {
  console.log(`\n${rows.toLocaleString('en')} posts\n`)
  const lines = results.map(({ name, aim, goal, rounds }) => {
    const of = (side, what) => median(rounds.map((round) => round[side][what]))
    const ratios = rounds.map(({ hand, ours }) => ours.rate / hand.rate)
    const ratio = median(ratios)
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
    const cpu = median(rounds.map(({ hand, ours }) => hand.cpu / ours.cpu))
    return [
      name,
      whole(of('hand', 'rate')),
      whole(of('tricks', 'rate')),
      whole(of('ours', 'rate')),
      ratio.toFixed(2),
      range,
      median(rounds.map(({ tricks, ours }) => ours.rate / tricks.rate)).toFixed(2),
      whole(of('hand', 'cpu')),
      whole(of('ours', 'cpu')),
      cpu.toFixed(2),
      verdict(ratio, aim),
      verdict(ratio, goal),
    ]
  })
  table(
    [
      '',
      'by hand /s',
      'with tricks /s',
      'ours /s',
      'ratio',
      'min–max',
      'to tricks',
      'by hand µs',
      'ours µs',
      'ratio of CPU',
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
    `Memory: idle ${whole(hand.memory)} MB by hand, ${whole(ours.memory)} MB ours; after the run ${whole(loaded[0])} and ${whole(loaded[1])} MB.`,
  )
  for (const note of notes) console.log(`Not comparable: ${note}.`)
}

const verdict = (ratio, wanted) => (wanted === null ? '–' : `${wanted} ${ratio >= wanted ? 'met' : 'missed'}`)
const whole = (number) => Math.round(number).toLocaleString('en')

/** For each server but the first: its rate, and the ratio to the first one's. */
export function printRates(rows, results, names) {
  console.log(`\n${rows.toLocaleString('en')} posts in PostgreSQL\n`)
  const [first, ...others] = names
  const lines = results.map(({ name, rounds }) => {
    const cells = others.flatMap((other) => {
      const both = rounds.filter((round) => round[other])
      if (both.length === 0) return ['–', '–', '–']
      const ratios = both.map((round) => round[other].rate / round[first].rate)
      const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
      return [whole(median(both.map((round) => round[other].rate))), median(ratios).toFixed(2), range]
    })
    return [name, whole(median(rounds.map((round) => round[first].rate))), ...cells]
  })
  table(['', `${first} /s`, ...others.flatMap((other) => [`${other} /s`, 'ratio', 'min–max'])], lines)
}

/** Prints a Markdown table. */
function table(head, lines) {
  const widths = head.map((title, i) => Math.max(title.length, 3, ...lines.map((line) => line[i].length)))
  const row = (cells) => `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`
  console.log(row(head))
  console.log(`|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`)
  for (const line of lines) console.log(row(line))
}
