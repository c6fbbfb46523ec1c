import { isCancel, password, text } from '@clack/prompts'
import { passwordLengthFault } from '../auth/password.js'
import { Stop } from './stop.js'

/** A flag's value; if it is missing, asks on a terminal, else fails. */
export async function given(value: string | undefined, flag: string, message: string, initial?: string): Promise<string> {
  if (value !== undefined && value !== '') return value
  if (!isTerminal()) {
    if (initial !== undefined) return initial
    throw new Stop(`Say --${flag}: there is no terminal to ask on`)
  }
  const answer = await text({
    message,
    ...(initial !== undefined && { initialValue: initial }),
    validate: (typed) => (typed?.trim() ? undefined : 'Please enter a value'),
  })
  if (isCancel(answer)) throw new Stop('Nothing was done')
  return answer.trim()
}

/** A new password: `DAYMARK_PASSWORD`, or typed twice on a terminal. Never a flag, which every process on the machine could read. */
export async function newPassword(): Promise<string> {
  const known = process.env.DAYMARK_PASSWORD
  if (known === undefined && !isTerminal()) throw new Stop('Set DAYMARK_PASSWORD: there is no terminal to ask on')
  const typed = known ?? (await hidden('Password'))
  const fault = passwordLengthFault(typed)
  if (fault) throw new Stop(fault)
  if (known === undefined && (await hidden('Once more')) !== typed) throw new Stop('The two differ; nothing was done')
  return typed
}

async function hidden(message: string): Promise<string> {
  const answer = await password({ message, validate: (typed) => passwordLengthFault(typed ?? '') ?? undefined })
  if (isCancel(answer)) throw new Stop('Nothing was done')
  return answer
}

function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}
