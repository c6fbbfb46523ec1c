#!/usr/bin/env node
// Must be first: commands and the panel's file both import Drizzle.
import '../preload.js'
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { type ArgsDef, defineCommand, runCommand, showUsage } from 'citty'
import { checkFlags } from './flags.js'
import { reasonOf, Stop } from './stop.js'

const daymark = defineCommand({
  meta: { name: 'daymark', description: 'Begins, serves and keeps a Daymark panel' },
  subCommands: {
    init: () => import('./init.js').then((one) => one.init),
    serve: () => import('./serve.js').then((one) => one.serve),
    doctor: () => import('./doctor.js').then((one) => one.doctor),
    'oag:generate': () => import('./oag-generate.js').then((one) => one.oagGenerate),
    'oag:publish': () => import('./oag-publish.js').then((one) => one.oagPublish),
    'user:create': () => import('./user-create.js').then((one) => one.userCreate),
    'user:list': () => import('./user-list.js').then((one) => one.userList),
    'user:disable': () => import('./user-disable.js').then((one) => one.userDisable),
    'user:password': () => import('./user-password.js').then((one) => one.userPassword),
    'user:reset-two-factor': () => import('./user-reset-two-factor.js').then((one) => one.userResetTwoFactor),
    'user:remove-passkeys': () => import('./user-remove-passkeys.js').then((one) => one.userRemovePasskeys),
    'user:unlink': () => import('./user-unlink.js').then((one) => one.userUnlink),
    'key:create': () => import('./key-create.js').then((one) => one.keyCreate),
    'key:list': () => import('./key-list.js').then((one) => one.keyList),
    'key:delete': () => import('./key-delete.js').then((one) => one.keyDelete),
    'user:reset-link': () => import('./user-reset-link.js').then((one) => one.userResetLink),
  },
})

// The reader, such as `head`, has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const args = process.argv.slice(2)
try {
  const wanted = daymark.subCommands as Record<string, () => Promise<typeof daymark>>
  const [name = ''] = args
  const asked = Object.hasOwn(wanted, name) ? await wanted[name]?.() : undefined
  if (name === '--version') console.log(version())
  else if (!asked || args.includes('--help') || args.includes('-h')) {
    await usage(asked)
    if (!asked && !['', '--help', '-h'].includes(name))
      throw new Stop(name.startsWith('-') ? `There is no ${name}; daymark has --help, --version` : `There is no command "${name}"`)
  } else {
    const rawArgs = args.slice(1)
    checkFlags(name, asked.args as ArgsDef, rawArgs)
    await runCommand(asked, { rawArgs })
  }
} catch (thrown) {
  // An error the user can fix is one line; a bug of ours shows its stack.
  const expected = thrown instanceof Error && ['Stop', 'DaymarkError', 'DeclarationError', 'CLIError'].includes(thrown.name)
  console.error(expected ? reasonOf(thrown as Error) : thrown)
  process.exitCode = 1
}

/** For people, in colours; for a pipe, without. */
async function usage(asked: typeof daymark | undefined): Promise<void> {
  const { log } = console
  if (!process.stdout.isTTY) console.log = (text: string) => log(stripVTControlCharacters(text))
  try {
    await showUsage(asked ?? daymark, asked ? daymark : undefined)
  } finally {
    console.log = log
  }
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version
}
