/** Reports progress on standard output: a bar on a terminal, else a line for each tenth. */
export function progress(label: string, total: number): (done: number) => void {
  const { stdout } = process
  let tenths = 0
  return (done) => {
    const share = done / total
    if (stdout.isTTY) {
      const bar = '█'.repeat(Math.round(share * 30)).padEnd(30, '░')
      stdout.write(`\r${label} ${bar} ${counted(done)} of ${counted(total)}${done === total ? '\n' : ''}`)
    } else if (Math.floor(share * 10) > tenths) {
      tenths = Math.floor(share * 10)
      stdout.write(`${label}: ${counted(done)} of ${counted(total)}\n`)
    }
  }
}

function counted(n: number): string {
  return n.toLocaleString('en')
}
