import type { AuthSettings } from '../auth/pipeline.js'
import type { TwoFactorOptions } from '../auth/two-factor.js'
import { policyFault } from '../resource/action/policy.js'
import { type Names, unknownIn } from '../resource/model/unknown.js'
import type { PanelSpec } from './spec.js'

const settings: Names<AuthSettings> = { middleware: true, pipelines: true, twoFactor: true, viewAs: true }
const options: Names<TwoFactorOptions> = { required: true, key: true, previousKeys: true }

/** What is wrong with the form of `auth`. Anything that is ignored here could leave users without a second factor who must have one. */
export function checkAuthForm({ auth }: PanelSpec, say: (id: string, where: string, text: string) => void): void {
  if (auth === undefined || auth === 'open') return
  if (typeof auth !== 'object' || auth === null || !('middleware' in auth)) {
    say('setting-value', 'auth', `${JSON.stringify(auth)} is neither 'open' nor of the form { middleware, pipelines }`)
    return
  }
  for (const [name, text] of unknownIn(auth, settings)) say('setting-unknown', `auth.${name}`, text)
  checkViewAs(auth.viewAs, say)
  const given: unknown = auth.twoFactor
  if (given === undefined || given === false) return
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    say('setting-value', 'auth.twoFactor', `${JSON.stringify(given)} is neither false nor of the form { required, key, previousKeys }`)
    return
  }
  for (const [name, text] of unknownIn(given, options)) say('setting-unknown', `auth.twoFactor.${name}`, text)
  const { required, key, previousKeys } = given as { readonly [K in keyof TwoFactorOptions]: unknown }
  if (required !== undefined && typeof required !== 'boolean' && !isTexts(required))
    say('setting-value', 'auth.twoFactor.required', `${JSON.stringify(required)} is neither true, false nor a list of roles`)
  // Without their values, which are secrets.
  if (key !== undefined && typeof key !== 'string') say('setting-value', 'auth.twoFactor.key', 'is no text')
  if (previousKeys !== undefined && !isTexts(previousKeys)) say('setting-value', 'auth.twoFactor.previousKeys', 'is no list of texts')
}

function checkViewAs(viewAs: unknown, say: (id: string, where: string, text: string) => void): void {
  const fault =
    viewAs === undefined ? null : typeof viewAs === 'boolean' ? 'name roles (["admin"]) or write a function' : policyFault(viewAs)
  if (fault !== null) say('setting-value', 'auth.viewAs', fault)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
