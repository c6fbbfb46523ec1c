import { policyFault } from '../resource/action/policy.js'
import type { Say } from '../resource/problem.js'
import type { PanelSpec } from './spec.js'

/** What is wrong with who may look at the panel as another user. */
export function checkViewAs({ auth }: PanelSpec, say: Say): void {
  const viewAs: unknown = typeof auth === 'object' ? auth.viewAs : undefined
  const fault =
    viewAs === undefined ? null : typeof viewAs === 'boolean' ? 'name roles (["admin"]) or write a function' : policyFault(viewAs)
  if (fault !== null) say('setting-value', 'auth.viewAs', fault)
}
