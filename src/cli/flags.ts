import { parseArgs } from 'node:util'
import type { ArgsDef } from 'citty'
import { Stop } from './stop.js'

/** Refuses what citty silently ignores: a misspelled flag must not leave its default in force. */
export function checkFlags(command: string, args: ArgsDef, raw: readonly string[]): void {
  const flags = Object.entries(args).filter(([, { type }]) => type !== 'positional')
  const names = Object.entries(args).filter(([, { type }]) => type === 'positional')
  const { tokens } = parseArgs({
    args: [...raw],
    options: Object.fromEntries(flags.map(([name, { type }]) => [name, { type: type === 'boolean' ? 'boolean' : 'string' }] as const)),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const has = `${command} has ${[...names.map(([name]) => name.toUpperCase()), ...flags.map(([name]) => `--${name}`), '--help'].join(', ')}`
  let positionals = 0
  for (const token of tokens) {
    if (token.kind === 'positional' && ++positionals > names.length) throw new Stop(`"${token.value}" is one word too many; ${has}`)
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const flag = flags.find(([one]) => one === name)?.[1]
    if (!flag || !rawName.startsWith('--')) throw new Stop(`There is no ${rawName}; ${has}`)
    if (flag.type === 'boolean' && value !== undefined) throw new Stop(`${rawName} takes no value`)
    if (flag.type !== 'boolean' && !value && !(value === '' && 'mayBeEmpty' in flag)) throw new Stop(`${rawName} needs a value`)
  }
}
