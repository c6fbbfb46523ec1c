import type { Bound } from '../../field/field.js'
import { relationName } from '../model/bind.js'
import type { Say } from '../problem.js'
import { fillingFaults } from '../relation/filling.js'
import { leadsTo } from '../relation/leads-to.js'
import { type Beside, narrowingFaults } from '../relation/narrowing.js'
import type { Resource } from '../resource.js'
import { checkOptions } from './fields.js'

/** The related resource of each relation, found once at start-up. */
export type Links = ReadonlyMap<Bound, Resource>

/** The resources that relations may lead to, and what has been found so far. */
export interface Relating {
  readonly managers: readonly Resource[]
  readonly links: Map<Bound, Resource>
}

/** Finds what the relations of a resource lead to, and says what is wrong with them. */
export function checkRelations(resource: Resource, relating: Relating, say: Say, warn: Say): void {
  const beside = { fields: resource.fields, form: resource.pages.form }
  for (const field of resource.fields.values()) {
    const at = `fields.${field.key}`
    const fault = follow(resource, field, beside, at, relating, say)
    // If the fields were derived, an unresolved relation shows the plain key; if they were declared, it is a mistake.
    if (fault !== null && resource.derived) warn('relation', field.key, fault)
    else if (fault !== null) say('relation', at, fault)
    const found = relating.links.get(field)
    if (found) for (const text of fillingFaults(field, found, resource.fields)) say('relation-fills', `${at}.fills`, text)
  }
  checkRelationNames(resource, relating.links, say, warn)
}

/** The same of the fields that an action asks for, and what else is wrong with them. */
export function checkInputs(at: string, fields: ReadonlyMap<string, Bound>, resource: Resource | null, relating: Relating, say: Say): void {
  const beside = { fields, form: [...fields.keys()] }
  for (const [key, field] of fields) {
    const there = `${at}.fields.${key}`
    checkOptions(there, field, say)
    // The fields of a change of several records are its own, and are judged by each.
    if (field.editableWhen !== null && resource?.fields.get(field.key) !== field)
      say('editable-when', there, 'an action has no record that could be asked')
    const fault = follow(resource, field, beside, there, relating, say)
    if (fault !== null) say('relation', there, fault)
  }
}

/** Notes what a relation leads to, and checks what it lets users choose there; returns why it leads nowhere, null if it is fine or no relation. */
function follow(
  resource: Resource | null,
  field: Bound,
  beside: Beside,
  at: string,
  { managers, links }: Relating,
  say: Say,
): string | null {
  const found = leadsTo(resource, field, managers)
  if (found === null || typeof found === 'string') return found
  links.set(field, found)
  for (const [method, text] of narrowingFaults(field, found, beside)) {
    if (method === 'where') say('relation-where', `${at}.where`, text)
    else say('relation-matching', `${at}.matching`, text)
  }
  return null
}

/**
 * A relation cannot be followed if something else in the record has its name. That is a problem if the name was declared with `as`, else a
 * warning.
 */
function checkRelationNames({ fields, computed }: Resource, links: Links, say: Say, warn: Say): void {
  const names = new Map<string, string>()
  for (const field of fields.values()) {
    const name = relationName(field)
    if (!links.has(field) || field.visible === false || name === null) continue
    const other = names.get(name)
    const taken = fields.has(name)
      ? 'a field'
      : computed.has(name)
        ? 'a computed value'
        : other === undefined
          ? null
          : `the relation of "${other}"`
    names.set(name, field.key)
    if (taken === null) continue
    if (field.own.as !== undefined)
      say('relation-name', `fields.${field.key}`, `.as('${name}'): ${taken} has this name; choose another one`)
    else
      warn(
        'relation-name',
        field.key,
        `the relation has no name to follow it by: "${name}" is ${name === field.key ? 'the field itself, whose key does not end in Id' : taken}; declare it as \`belongsTo().as('…')\``,
      )
  }
}
