// npm run check, and what CI runs: every static check, then every test; the last line sums them up.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildStale } from './build.mjs'
import { installMissing } from './install.mjs'
import { main, npm, show } from './run.mjs'

const checks = ['lint', 'types', 'unused', 'package', 'document']

await main(async () => {
  const sum = { passed: 0, failed: 0 }
  try {
    await installMissing()
    await buildStale()
    for (const name of checks) add(sum, (await npm(['run', name])) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
    add(sum, await runTests())
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

async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-check-'))
  const file = join(folder, 'tests.json')
  try {
    const code = await npm(['test', '--', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`])
    return count(code, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    console.error(`The tests gave no report: ${error.message}`)
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// A skipped test is a failure, and so is whatever ends the run badly without failing a test (a file that does not load, a stray rejection).
function count(code, report) {
  const passed = report.numPassedTests
  const failed = report.numTotalTests - passed
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed }
}
