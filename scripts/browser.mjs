// Finds a Chromium for the browser tests, or installs one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root, run, Stop } from './run.mjs'

// The same browser without windows takes half the time for the tests: Debian has it as a package of its own.
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of a browser that starts. Throws if there is none: browser tests are never skipped. */
export async function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    if (starts(chosen)) return chosen
    throw new Stop(`CHROMIUM_PATH is ${chosen}, which does not start. Point it to a Chromium or Chrome, or unset it.`)
  }
  const found = installed() ?? (await fromPackageManager()) ?? (await fromPlaywright())
  if (found) return found
  throw new Stop(
    `No Chromium or Chrome was found, and none could be installed.
Install one (Debian, Ubuntu: "apt-get install chromium") or set CHROMIUM_PATH, then run npm test again.`,
  )
}

function installed() {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  return [...onPath, ...places].find(starts)
}

// The file's existence is not enough: on some systems it is only a stub that suggests installing a browser.
function starts(path) {
  if (!existsSync(path)) return false
  if (process.platform === 'win32') return true // there --version opens a window
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0
}

async function fromPackageManager() {
  if (!runs('apt-get', ['--version'])) return undefined
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  if (sudo.length > 0 && !runs('sudo', ['-n', 'true'])) return undefined
  console.log('No browser found; installing Chromium with apt-get …')
  const apt = (...args) => {
    const [command, ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args]
    return run(command, rest, { stdio: ['ignore', 'inherit', 'inherit'] })
  }
  await apt('update')
  for (const name of [shell, 'chromium']) {
    await apt('install', '-y', '--no-install-recommends', name, 'fonts-liberation')
    const found = installed()
    if (found) return found
  }
  return undefined
}

async function fromPlaywright() {
  const { chromium } = await import('playwright-core')
  if (!starts(chromium.executablePath())) {
    console.log("Downloading Chromium with Playwright's installer …")
    await run(process.execPath, [join(root, 'node_modules/playwright-core/cli.js'), 'install', '--no-shell', 'chromium'])
  }
  return starts(chromium.executablePath()) ? chromium.executablePath() : undefined
}

function runs(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}
