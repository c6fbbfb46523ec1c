// npm run check, and what CI runs: every static check, then every test; the last line sums them up. With --quick: what takes seconds alone, before each commit.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildStale } from './build.mjs'
import { installMissing } from './install.mjs'
import { main, npm, root, show } from './run.mjs'

const quick = process.argv.includes('--quick')
const checks = ['lint', 'types', 'unused', 'package', 'document', ...(quick ? [] : ['newer'])]

await main(async () => {
  const sum = { passed: 0, failed: 0 }
  try {
    await installMissing()
    await buildStale()
    for (const name of checks) add(sum, (await npm(['run', name])) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
    if (!quick) add(sum, await runTests())
  } catch (error) {
    show(error)
    sum.failed++
  }
  console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
  return sum.failed === 0 ? 0 : 1
})

function add(sum, { passed, failed }) {
  sum.passed += passed
  sum.failed += failed
}

// A file that fails is run once more by itself, as long as no more than three do: what passes then failed by the machine's load or by a race, and is
// named in the end, so that it gets mended. Whatever is broken fails both times.
async function runTests() {
  const first = await report([])
  const failing = first.files.filter(({ failed }) => failed > 0).map(({ path }) => path)
  if (failing.length === 0 || failing.length > 3) return first.sum
  console.log(`\nOnce more, by ${failing.length === 1 ? 'itself' : 'themselves'}: ${failing.join(', ')}`)
  const second = await report(failing)
  if (second.sum.failed > 0 || second.files.length !== failing.length) return first.sum
  console.log(`\nPassed only at the second attempt: ${first.names.join('; ')}`)
  const mended = first.sum.failed - first.stray
  return { passed: first.sum.passed + mended, failed: first.stray }
}

async function report(files) {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-check-'))
  const file = join(folder, 'tests.json')
  try {
    const code = await npm(['test', '--', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...files])
    return count(code, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    console.error(`The tests gave no report: ${error.message}`)
    return { sum: { passed: 0, failed: 1 }, stray: 1, files: [], names: [] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// A skipped test is a failure, and so is whatever ends the run badly without failing a test (a file that does not load, a stray rejection).
function count(code, { numPassedTests: passed, numTotalTests, testResults }) {
  const files = testResults.map(({ name, status, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status !== 'passed')
    return {
      path: relative(root, name),
      failed: tests.length || (status === 'passed' ? 0 : 1),
      names: tests.map(({ fullName }) => fullName),
    }
  })
  const failed = numTotalTests - passed
  const stray = code !== 0 && failed === 0 ? 1 : 0
  return { sum: { passed, failed: failed + stray }, stray, files, names: files.flatMap(({ names }) => names) }
}
