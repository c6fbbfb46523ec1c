// npm run check, also run by CI: every static check, then every test, and a summary. --quick: only checks that take seconds.
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

// If up to three test files fail, they run once more by themselves. One that then passes has failed because of load or a race: the run
// passes, and names it so that it gets fixed. Real faults fail twice.
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

// A skipped test counts as a failure, and so does anything else that fails the run, such as a file that does not load or a stray rejection.
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
