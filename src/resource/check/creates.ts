import type { RoleRule } from '../../field/field.js'
import { type Policies, type Policy, policiesFor } from '../action/policy.js'
import type { Column } from '../model/model.js'
import { fillerOf } from '../relation/filling.js'
import type { Resource } from '../resource.js'

/** NOT NULL columns without a default that a new record would leave empty. */
export function neverSet(resource: Resource, panel: Policies): readonly (readonly [key: string, why: string])[] {
  const { activeActions, fields, hooks, model, pages, reorderable } = resource
  if (!activeActions.has('create') || hooks.beforeSave) return []
  const [policy] = policiesFor(resource, panel, 'create')
  if (policy === false) return []
  // SQLite numbers an integer primary key by itself.
  const counted = ({ primary, type }: Column) => primary && model.dialect === 'sqlite' && type === 'integer'
  return [...model.columns.values()].flatMap((column): readonly (readonly [key: string, why: string])[] => {
    const { key } = column
    const field = fields.get(key)
    if (!column.notNull || column.hasDefault || counted(column) || column === reorderable || field?.default !== undefined) return []
    if (field && fillerOf(field, fields)) return []
    if (!field || !pages.form.includes(key)) return [[key, `in no form: ${refusesAll}`]]
    const rules = [field.visible, field.editable]
    if (field.readOnly || rules.includes(false))
      return [[key, `nobody may fill it in: every create will be refused. Let somebody, or ${otherwise}`]]
    if (rules.every((rule) => coversAll(rule, policy))) return []
    return [[key, `not all who may create may fill it in: what the others create is refused. ${wayOut}, or narrow \`can.create\``]]
  })
}

const wayOut = 'Give it a default, set it in hooks.beforeSave'
const otherwise = 'give it a default, set it in hooks.beforeSave, or take `create` out of activeActions'
const refusesAll = `every create will be refused. Add it to the form, ${otherwise}`

/** Whether a rule lets in everybody whom a policy lets in, as far as both say so: a function may. */
function coversAll(rule: RoleRule, policy: Policy | undefined): boolean {
  if (typeof rule === 'boolean') return rule
  return typeof policy === 'function' || (Array.isArray(policy) && policy.every((role) => rule.includes(role)))
}
