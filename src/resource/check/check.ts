import { settingFaults } from '../../base/setting.js'
import type { Bound } from '../../field/field.js'
import type { Policies } from '../action/policy.js'
import { checkFullText } from '../model/full-text.js'
import { matchFaults } from '../model/import-settings.js'
import type { Page } from '../pages/own-page.js'
import { list, type Problem, type Say } from '../problem.js'
import { toldFromElsewhere } from '../relation/counted.js'
import { reached } from '../relation/reach.js'
import type { Resource } from '../resource.js'
import { ofResources } from '../spec-settings.js'
import { checkActions } from './action.js'
import { neverSet } from './creates.js'
import { checkComputed, checkFields } from './fields.js'
import { checkNames, checkThroughs } from './names.js'
import { allPages, checkMorePages, checkRelated } from './pages.js'
import { checkInputs, checkRelations, type Links } from './relations.js'
import { asyncTables, checkRowUpdates } from './row-updates.js'
import { checkSettings } from './settings.js'
import { uriFault } from './uri-form.js'
import { checkViews } from './views.js'
import { checkPolicies, checkWritten } from './written.js'

/** Checks all resources of a panel and resolves every relation, including those in the forms of actions. */
export function checkResources(
  resources: readonly Resource[],
  pages: readonly Page[] = [],
  can: Policies = {},
): {
  links: Links
  problems: readonly Problem[]
  warnings: readonly Problem[]
} {
  const problems: Problem[] = []
  const warnings: Problem[] = []
  const into = (told: Problem[], { uriKey }: Resource): Say => {
    return (id, at, text) => told.push({ id, where: at === '' ? uriKey : `${uriKey}.${at}`, text })
  }
  // Of resources with the same uriKey, only one can be the target of a relation. The duplicate is reported by itself, without follow-up
  // problems.
  const all = new Map(resources.map((resource) => [resource.uriKey, resource]))
  const links = new Map<Bound, Resource>()
  // Related records are those that are not deleted, so no relation leads to a trash.
  const relating = { links, managers: [...all.values()].filter(({ trashOf }) => trashOf === null) }
  const tables = asyncTables(all, pages)
  // What is wrong further on with the others may only be so because of their settings.
  const sound: Resource[] = []
  for (const [i, resource] of resources.entries()) {
    const [say, warn] = [into(problems, resource), into(warnings, resource)]
    checkUri(resource, resources.slice(0, i), say)
    if (resource.trashOf) {
      checkTrash(resource, resource.trashOf, all, say)
      sound.push(resource)
      continue
    }
    const wrong = settingFaults(resource.written, ofResources)
    for (const { id, at, text } of wrong) say(id, at, text)
    if (wrong.length > 0) continue
    sound.push(resource)
    checkWritten(resource, say)
    checkSettings(resource, say)
    checkFields(resource, say)
    checkComputed(resource, say)
    for (const [key, other] of toldFromElsewhere(resource, resources))
      say('tally', `fields.${key}`, `its records are those of "${other}", which are in another database`)
    checkNames(resource, say)
    checkMorePages(resource, all, say)
    checkFullText(resource, say)
    checkConstraints(resource, say)
    for (const text of matchFaults(resource)) say('import-match', 'import.match', text)
    checkViews(resource, say)
    checkTags(resource, say)
    checkRowUpdates(resource, tables, say)
    checkActions(resource, say)
    checkHidden(resource, say)
    checkRelations(resource, relating, say, warn)
    // The fields of records lead where they do in a record.
    for (const [at, actions] of Object.entries({ handlers: resource.handlers, methods: resource.methods }))
      for (const [uri, { fields, changes }] of actions) if (!changes) checkInputs(`${at}.${uri}`, fields, resource, relating, say)
    for (const [key, why] of neverSet(resource, can)) warn('create-needs', key, `NOT NULL without a default, and ${why}`)
    warnOfDisplays(resource, warn)
    warnOfNoTrash(resource, resources, warn)
    warnOfLeftOut(resource, warn)
  }
  for (const resource of sound) {
    const say = into(problems, resource)
    checkRelated(resource, all, links, say)
    if (resource.trashOf === null) checkThroughs(resource, { links, resources: all }, say)
  }
  for (const [where, { methods }] of allPages(resources, pages))
    for (const [name, { fields }] of methods)
      checkInputs(`${where}.methods.${name}`, fields, null, relating, (id, at, text) => problems.push({ id, where: at, text }))
  return { links, problems, warnings }
}

function checkUri({ uriKey }: Resource, before: readonly Resource[], say: Say): void {
  if (before.some((one) => one.uriKey === uriKey))
    say('resource-uri', 'uriKey', `another resource has the uriKey "${uriKey}"; give one of them its own`)
  const fault = uriFault(uriKey)
  if (fault !== null) say('uri-form', 'uriKey', fault)
}

/** What else is wrong with a trash is wrong with its resource, too. */
function checkTrash({ uriKey, written }: Resource, of: Resource, all: ReadonlyMap<string, Resource>, say: Say): void {
  checkPolicies('can', written.can, say)
  if (all.get(of.uriKey) !== of) say('trash', '', `it is the trash of "${of.uriKey}", which is not in the panel; add that resource, too`)
  const others = [...all.values()].filter((one) => one.trashOf === of && one.uriKey !== uriKey)
  if (others[0]) say('trash', '', `"${others[0].uriKey}" is the trash of the same resource; leave one of them out`)
}

function checkConstraints({ constraints, fields }: Resource, say: Say): void {
  for (const [name, texts] of constraints) {
    if (typeof texts === 'string') continue
    if (typeof texts !== 'object' || texts === null || Object.keys(texts).length === 0) {
      say('constraint', `constraints.${name}`, "write a text, or texts by field: { name: 'There is one already' }")
      continue
    }
    for (const field of Object.keys(texts).filter((one) => !fields.has(one)))
      say('constraint', `constraints.${name}`, `"${field}" is not a field. Valid: ${list(fields.keys())}`)
  }
}

function checkTags(resource: Resource, say: Say): void {
  for (const [key, { where }] of resource.queryTags) {
    try {
      reached(resource, where('UTC'))
    } catch (thrown) {
      say('query-tag', `queryTags.${key}`, (thrown as Error).message)
    }
  }
}

/** A single record that is hidden must be hidden from lists, too. */
function checkHidden({ canRecord, scope }: Resource, say: Say): void {
  if (canRecord.view && !scope)
    say(
      'record-view-scope',
      'canRecord.view',
      'it hides single records, but only `scope` narrows lists; declare `scope` with the same condition',
    )
}

function warnOfDisplays({ display, fields }: Resource, warn: Say): void {
  for (const key of display.keys())
    if (fields.get(key)?.own.updateOnPreview)
      warn(
        'display-live',
        `display.${key}`,
        'it takes the place of the control that updateOnPreview() gives the field, so lists change no value; leave one of the two out',
      )
}

function warnOfNoTrash({ softDelete, activeActions, model }: Resource, resources: readonly Resource[], warn: Say): void {
  if (!softDelete || !(activeActions.has('delete') || activeActions.has('massDelete'))) return
  if (!resources.some(({ trashOf }) => trashOf?.model.table === model.table))
    warn(
      'no-trash',
      'softDelete',
      'what is deleted stays in the table, and no trashResource() shows it: nobody can restore it, or delete it for good',
    )
}

function warnOfLeftOut({ derived, model }: Resource, warn: Say): void {
  for (const { column, why } of derived?.leftOut ?? [])
    if (why === 'secret') warn('derived-secret', column, 'left out because its name looks like a secret; declare `fields` to show it')
    else
      warn(
        'derived-kind',
        column,
        `left out because no kind fits its column; make one with \`defineKind\` whose \`columns\` have '${model.columns.get(column)?.type}', and declare \`fields\` with it`,
      )
}
