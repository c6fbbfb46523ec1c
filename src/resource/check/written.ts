import { a, type Setting, type Settings, settingFaults } from '../../base/setting.js'
import type { Hooks } from '../action/hooks.js'
import { abilities, isAsync, type Policies, policyFault, type RecordPolicies, ruleFault } from '../action/policy.js'
import { type ImportSettings, isImportSettings } from '../model/import-settings.js'
import type { Say } from '../problem.js'
import type { Resource } from '../resource.js'

// What each of these may be, other checks tell.
const ofRecords: Settings<RecordPolicies<never>> = {
  view: a.value,
  update: a.value,
  delete: a.value,
  massDelete: a.value,
  comment: a.value,
}
const ofAbilities: Settings<Policies> = { ...ofRecords, viewAny: a.value, create: a.value }
const ofHooks: Settings<Hooks<never, never>> = {
  beforeSave: a.value,
  afterSave: a.value,
  beforeDelete: a.value,
  afterDelete: a.value,
  settled: a.value,
}
const ofImports: Settings<ImportSettings> = { roles: a.value, match: a.value }

/**
 * Finds settings that would silently do nothing. The compiler catches most of them, but not in JavaScript or in objects passed by a
 * variable. A misspelt policy would let everybody in.
 */
export function checkWritten({ written, handlers, methods }: Resource, say: Say): void {
  checkPolicies('can', written.can, say)
  const imports = isImportSettings(written.import) ? written.import : { roles: written.import }
  for (const { id, at, text } of settingFaults(imports, ofImports, 'import')) say(id, at, text)
  for (const [at, rule] of [
    ['history', written.history],
    [imports === written.import ? 'import.roles' : 'import', imports.roles],
  ] as const) {
    const fault = ruleFault(rule)
    if (fault !== null) say('policy', at, fault)
  }
  checkFunctions('canRecord', written.canRecord, ofRecords, { atOnce: true }, say)
  checkFunctions('hooks', written.hooks, ofHooks, { atOnce: false }, say)
  for (const name of ['scope', 'validate']) checkFunction(name, written[name], { atOnce: true }, say)
  for (const [at, all] of Object.entries({ handlers, methods })) {
    for (const [uri, { ability, can, canRecord, changes }] of all) {
      if (changes) continue
      if (!abilities.includes(ability)) say('ability', `${at}.${uri}.ability`, `"${ability}" is none of ${abilities.join(', ')}`)
      if (can !== null) checkPolicy(`${at}.${uri}.can`, can, say)
      if (canRecord !== null) checkFunction(`${at}.${uri}.canRecord`, canRecord, { atOnce: true }, say)
    }
  }
}

/** What is wrong with policies by ability. */
export function checkPolicies(at: string, policies: unknown, say: Say): void {
  if (policies === undefined) return
  if (!isRecord(policies)) say('policy', at, 'must name abilities: { update: ["editor"] }')
  else {
    for (const fault of settingFaults(policies, ofAbilities, at)) say('ability', fault.at, fault.text)
    for (const [name, policy] of Object.entries(policies)) checkPolicy(`${at}.${name}`, policy, say)
  }
}

/** What is wrong with a policy. */
export function checkPolicy(at: string, policy: unknown, say: Say): void {
  const fault = policyFault(policy)
  if (fault !== null) say('policy', at, fault)
}

interface How {
  /** Whether it must be synchronous: a promise would resolve too late. */
  readonly atOnce: boolean
}

function checkFunctions(at: string, written: unknown, known: { readonly [name: string]: Setting }, how: How, say: Say): void {
  if (written === undefined) return
  if (!isRecord(written)) say('policy', at, `must be an object of functions, with these names: ${Object.keys(known).join(', ')}`)
  else {
    for (const fault of settingFaults(written, known, at)) say('ability', fault.at, fault.text)
    for (const [name, one] of Object.entries(written)) if (Object.hasOwn(known, name)) checkFunction(`${at}.${name}`, one, how, say)
  }
}

function checkFunction(at: string, one: unknown, { atOnce }: How, say: Say): void {
  if (one !== undefined && typeof one !== 'function') say('policy', at, 'must be a function')
  else if (atOnce && isAsync(one)) say('policy', at, 'must be synchronous, and is async')
}

function isRecord(one: unknown): one is object {
  return typeof one === 'object' && one !== null && !Array.isArray(one)
}
