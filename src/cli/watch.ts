import { type ChildProcess, spawn } from 'node:child_process'
import { watch as watchFiles } from 'chokidar'
import { watched } from './watched.js'

const sources = /\.(?:[cm]?[jt]s|json|env)$|^\.env/
// What no panel imports: packages, results of builds and tests, tests themselves, and folders of tools such as .git or .vscode.
const left = /(?:^|[/\\])(?:node_modules|dist|build|coverage|__tests__|\.(?!env)[^/\\.][^/\\]*)(?:[/\\]|$)|\.(?:test|spec)\.[^/\\.]+$/

/** Serves in a child process and restarts it when a source file changes, so that no module stays loaded. */
export function watch(args: readonly string[]): Promise<void> {
  let child = start(args)
  let ended = false
  let again: NodeJS.Timeout | undefined
  const files = watchFiles('.', {
    ignoreInitial: true,
    ignored: (path, stats) => left.test(path) || (stats?.isFile() === true && !sources.test(path)),
  })
  let stopping = false
  const restart = async (path: string) => {
    // The next process reads later changes anyway.
    if (stopping) return
    stopping = true
    console.log(`${path} has changed: starting anew`)
    await stopped(child)
    stopping = false
    if (!ended) child = start(args)
  }
  // Such as a folder that may not be read. The rest is watched all the same.
  files.on('error', (error) => console.error(`Cannot watch everything: ${error instanceof Error ? error.message : error}`))
  // Debounced, since editors save several files at once.
  files.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return
    clearTimeout(again)
    again = setTimeout(() => void restart(path), 100)
  })
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        ended = true
        clearTimeout(again)
        void Promise.all([files.close(), stopped(child)]).then(() => resolve())
      })
  })
}

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] as string, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [watched]: '1' },
  })
  child.on('exit', (code) => {
    if (code) console.error('It ended; waiting for a change')
  })
  return child
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGTERM')
  })
}
