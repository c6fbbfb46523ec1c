// Installs dependencies if node_modules differs from package-lock.json.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, root, Stop } from './run.mjs'

/** Compares with npm's own record of what it installed, so that a plain `npm install` counts, too. */
export async function installMissing() {
  if (isInstalled(read('package-lock.json'), read('node_modules/.package-lock.json'))) return
  console.log('Installing dependencies (npm ci) …')
  const code = await npm(['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'])
  if (code !== 0) {
    throw new Stop(
      `npm ci ended with ${code}: the dependencies are not installed.
The npm registry must be reachable (try "npm ping"; behind a proxy set HTTPS_PROXY); then run the same command again.`,
    )
  }
}

function isInstalled(lock, installed) {
  if (!installed) return false
  const wanted = Object.entries(lock.packages).filter(([path, entry]) => path && !entry.optional)
  return (
    wanted.every(([path, { version }]) => installed.packages[path]?.version === version) &&
    Object.values(installed.packages).every(fitsThisMachine)
  )
}

// A folder shared with another system (a container, a virtual machine) may hold that system's binaries.
function fitsThisMachine({ os = [], cpu = [] }) {
  return fits(os, process.platform) && fits(cpu, process.arch)
}

function fits(list, here) {
  return list.length === 0 || (list.some((name) => name.startsWith('!')) ? !list.includes(`!${here}`) : list.includes(here))
}

function read(file) {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
