import { inspect } from 'node:util'
import { jsEvent, wireName } from '../base/event.js'
import { iconFault } from '../base/icon-paths.js'
import { takesDefault } from '../field/begin.js'
import { parseValue } from '../field/check.js'
import { isCurrency } from '../field/currency.js'
import type { Bound, Field, RoleRule } from '../field/field.js'
import { nextOf } from '../field/next.js'
import { isDigits } from '../field/number-text.js'
import { unitFault } from '../field/unit.js'
import { relationName } from './bind.js'
import { checkAction, checkButton, related } from './check-action.js'
import { massUpdateFaults } from './check-mass-update.js'
import { checkMorePages, checkRelated } from './check-pages.js'
import { checkPolicies, checkWritten } from './check-written.js'
import { everyComponent } from './component.js'
import { condition, isAlways, othersIn, type Where } from './condition.js'
import { toldFromElsewhere } from './counted.js'
import { uriOf } from './declared.js'
import { fillerOf, fillingFaults } from './filling.js'
import { checkFullText } from './full-text.js'
import { matchFaults } from './import-settings.js'
import { linkOf } from './link.js'
import type { Column, Model, Tally } from './model.js'
import { type Beside, narrowingFaults } from './narrowing.js'
import { isComposed, type Page } from './own-page.js'
import { reservedPageUris } from './page.js'
import { type Policies, type Policy, policiesFor } from './policy.js'
import { reached } from './reach.js'
import { placeFault } from './reorderable.js'
import type { Resource } from './resource.js'
import { softDeleteFault } from './soft-delete.js'
import { type SummaryOf, summaries, summaryFault } from './summary.js'
import { tallyOf } from './tally.js'
import { columnFault, type Known, sortFault, throughFault } from './through.js'
import { unsortedText } from './unsorted.js'
import { tableView, viewFault } from './view.js'

/** Something wrong, or worth knowing, in the declarations: its text says what to change, and which names are valid. */
export interface Problem {
  /** Identifies the check, and is never reused. `docs/checks.md` lists them. */
  readonly id: string
  /** Where it is: `cities.pages.index`. */
  readonly where: string
  /** What is wrong, and what to do. */
  readonly text: string
}

/** The related resource of each relation, found once at start-up. */
export type Links = ReadonlyMap<Bound, Resource>

/** Thrown by `definePanel`, with everything that is wrong with the declarations. */
export class DeclarationError extends Error {
  /** Always `DeclarationError`. */
  override readonly name = 'DeclarationError'
  /** Everything that is wrong. */
  readonly problems: readonly Problem[]
  /** Makes an error whose message lists the problems. */
  constructor(problems: readonly Problem[]) {
    super(`The panel cannot start:\n${problems.map(({ id, where, text }) => `  ${id}  ${where}: ${text}`).join('\n')}`)
    this.problems = problems
  }
}

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
  const links = new Map<Bound, Resource>()
  const byUri = new Map<string, Resource>()
  const all = new Map(resources.map((resource) => [resource.uriKey, resource]))
  // Of resources with the same uriKey, only one can be the target of a relation. The duplicate is reported by itself, without follow-up
  // problems.
  // Nor is a trash: related records are those that are not deleted.
  const managers = [...all.values()].filter(({ trashOf }) => trashOf === null)
  const tables = asyncTables(all, pages)
  const sayOf =
    ({ uriKey }: Resource): Say =>
    (id, at, text) =>
      problems.push({ id, where: at === '' ? uriKey : `${uriKey}.${at}`, text })
  for (const resource of resources) {
    const say = sayOf(resource)
    const other = byUri.get(resource.uriKey)
    if (other) say('resource-uri', 'uriKey', `another resource has the uriKey "${resource.uriKey}"; give one of them its own`)
    byUri.set(resource.uriKey, resource)
    if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(resource.uriKey)) {
      say('uri-form', 'uriKey', `"${resource.uriKey}" must be lower-case letters, digits and hyphens`)
    }
    if (resource.trashOf) {
      checkTrash(resource, resource.trashOf, all, say)
      continue
    }
    const fault = resource.icon === null ? null : iconFault(resource.icon)
    if (fault !== null) say('icon', 'icon', fault)
    checkWritten(resource, say)
    checkFields(resource, say)
    for (const [key, other] of toldFromElsewhere(resource, resources))
      say('tally', `fields.${key}`, `its records are those of "${other}", which are in another database`)
    checkNames(resource, say)
    checkShown(resource, say)
    checkGates(resource, say)
    checkMorePages(resource, all, say)
    checkValues(resource, say)
    checkFullText(resource, say)
    checkConstraints(resource, say)
    for (const text of matchFaults(resource)) say('import-match', 'import.match', text)
    checkSoftDelete(resource, say)
    checkReorderable(resource, say)
    checkSummary(resource, say)
    checkViews(resource, say)
    checkTags(resource, say)
    checkRowUpdates(resource, tables, say)
    checkActions(resource, say)
    if (resource.canRecord.view && !resource.scope) {
      say(
        'record-view-scope',
        'canRecord.view',
        'it hides single records, but only `scope` narrows lists; declare `scope` with the same condition',
      )
    }
    for (const field of resource.fields.values()) {
      const found = related(resource, field, managers)
      if (found === null) continue
      if (typeof found !== 'string') {
        links.set(field, found)
        checkNarrowed(`fields.${field.key}`, field, found, { fields: resource.fields, form: resource.pages.form }, say)
        for (const text of fillingFaults(field, found, resource.fields)) say('relation-fills', `fields.${field.key}.fills`, text)
      }
      // If the fields were derived, an unresolved relation shows the plain key; if they were declared, it is a mistake.
      else if (resource.derived) warnings.push({ id: 'relation', where: `${resource.uriKey}.${field.key}`, text: found })
      else say('relation', `fields.${field.key}`, found)
    }
    checkRelationNames(resource, links, say, (at, text) => warnings.push({ id: 'relation-name', where: `${resource.uriKey}.${at}`, text }))
    for (const [key, why] of neverSet(resource, can))
      warnings.push({ id: 'create-needs', where: `${resource.uriKey}.${key}`, text: `NOT NULL without a default, and ${why}` })
    for (const [at, field, fields] of actionFields(resource)) {
      sayFault(at, field, say)
      // Those of a change of several records are its own.
      if (resource.fields.get(field.key) !== field) checkUngated(at, field, say)
      const found = related(resource, field, managers)
      if (found === null) continue
      if (typeof found === 'string') say('relation', at, found)
      else {
        links.set(field, found)
        checkNarrowed(at, field, found, { fields, form: [...fields.keys()] }, say)
      }
    }
    for (const key of resource.display.keys())
      if (resource.fields.get(key)?.own.updateOnPreview)
        warnings.push({
          id: 'display-live',
          where: `${resource.uriKey}.display.${key}`,
          text: 'it takes the place of the control that updateOnPreview() gives the field, so lists change no value; leave one of the two out',
        })
    for (const left of resource.derived?.leftOut ?? []) {
      warnings.push({
        id: left.why === 'secret' ? 'derived-secret' : 'derived-kind',
        where: `${resource.uriKey}.${left.column}`,
        text:
          left.why === 'secret'
            ? 'left out because its name looks like a secret; declare `fields` to show it'
            : `left out because no kind fits its column; make one with \`defineKind\` whose \`columns\` have '${resource.model.columns.get(left.column)?.type}', and declare \`fields\` with it`,
      })
    }
  }
  for (const resource of resources) {
    const say = sayOf(resource)
    checkRelated(resource, all, links, say)
    if (resource.trashOf === null) checkThroughs(resource, { links, resources: all }, say)
  }
  for (const [where, { methods }] of allPages(resources, pages)) {
    for (const [name, { fields }] of methods) {
      for (const [key, field] of fields) {
        const at = `${where}.methods.${name}.fields.${key}`
        const say: Say = (id, where, text) => problems.push({ id, where, text })
        sayFault(at, field, say)
        checkUngated(at, field, say)
        const found = related(null, field, managers)
        if (found === null) continue
        if (typeof found === 'string') say('relation', at, found)
        else {
          links.set(field, found)
          checkNarrowed(at, field, found, { fields, form: [...fields.keys()] }, say)
        }
      }
    }
  }
  return { links, problems, warnings }
}

/**
 * A relation cannot be followed if something else in the record has its name. That is a problem if the name was declared with `as`, else a
 * warning.
 */
function checkRelationNames({ fields, computed }: Resource, links: Links, say: Say, warn: (at: string, text: string) => void): void {
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
        field.key,
        `the relation has no name to follow it by: "${name}" is ${name === field.key ? 'the field itself, whose key does not end in Id' : taken}; declare it as \`belongsTo().as('…')\``,
      )
  }
}

/** Checks which records a relation lets users choose. */
function checkNarrowed(at: string, field: Bound, target: Resource, beside: Beside, say: Say): void {
  for (const [method, text] of narrowingFaults(field, target, beside)) {
    if (method === 'where') say('relation-where', `${at}.where`, text)
    else say('relation-matching', `${at}.matching`, text)
  }
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

function checkSoftDelete({ written, model }: Resource, say: Say): void {
  const name = written.softDelete as string | undefined
  if (name === undefined) return
  const column = model.columns.get(name)
  const valid = [...model.columns.values()].filter((one) => softDeleteFault(one) === null).map(({ key }) => key)
  if (!column) say('soft-delete', 'softDelete', `"${name}" is not a column. Valid: ${list(valid) || 'none'}`)
  else {
    const fault = softDeleteFault(column)
    if (fault !== null) say('soft-delete', 'softDelete', `the column "${name}" ${fault}. Valid: ${list(valid) || 'none'}`)
  }
}

function checkReorderable({ written, model, fields, activeActions }: Resource, say: Say): void {
  const name = written.reorderable as string | undefined
  if (name === undefined) return
  const tell = (text: string) => say('reorderable', 'reorderable', text)
  const column = model.columns.get(name)
  const valid = [...model.columns.values()].filter((one) => placeFault(model, one) === null).map(({ key }) => key)
  const fault = column && placeFault(model, column)
  if (!column) tell(`"${name}" is not a column. Valid: ${list(valid) || 'none'}`)
  else if (fault) tell(`the column "${name}" ${fault}. Valid: ${list(valid) || 'none'}`)
  else if (!fields.has(name)) tell(`"${name}" is not declared as a field, and lists can only be sorted by declared fields`)
  else if (!activeActions.has('update')) tell('`activeActions` has no `update`, so nobody could put the records in another order')
}

function checkSummary({ written, fields }: Resource, say: Say): void {
  const spec = (written.summary ?? {}) as { readonly [column: string]: SummaryOf | readonly SummaryOf[] }
  for (const [name, of] of Object.entries(spec)) {
    const at = `summary.${name}`
    const field = fields.get(name)
    const fault = field && summaryFault(field)
    const valid = [...fields.values()].filter((one) => summaryFault(one) === null).map(({ key }) => key)
    if (!field) say('summary', at, `"${name}" is not declared as a field. Valid: ${list(valid) || 'none'}`)
    else if (fault) say('summary', at, `the field ${fault}. Valid: ${list(valid) || 'none'}`)
    for (const one of [of].flat()) if (!summaries.includes(one)) say('summary', at, `"${one}" is none of ${list(summaries)}`)
  }
}

function checkViews({ views, fields, computed, filters }: Resource, say: Say): void {
  const taken = new Set([tableView])
  for (const view of views) {
    const at = `views.${view.uri}`
    const tell = (text: string) => say('view', at, text)
    const field = fields.get(view.field)
    const fault = field && viewFault(view, field)
    const valid = list([...fields.values()].filter((one) => viewFault(view, one) === null).map(({ key }) => key)) || 'none'
    if (!field) tell(`"${view.field}" is not declared as a field. Valid: ${valid}`)
    else if (fault) tell(`the field "${view.field}" ${fault}. Valid: ${valid}`)
    else if (!filters.includes(view.field))
      tell(`add "${view.field}" to \`filters\`: what has no room leads to the list of these records alone`)
    for (const name of view.card)
      if (!fields.has(name) && !computed.has(name))
        tell(`card: "${name}" is not declared. Valid: ${list([...fields.keys(), ...computed.keys()])}`)
    if (view.is === 'calendar' && view.tone !== null && !isToned(fields.get(view.tone)))
      tell(`tone: "${view.tone}" has no tones. Valid: ${list([...fields.values()].filter(isToned).map(({ key }) => key)) || 'none'}`)
    if (view.is === 'calendar' && !['month', 'week'].includes(view.period)) tell(`period: must be 'month' or 'week', not ${view.period}`)
    if (view.is === 'board' && !(Number.isSafeInteger(view.limit) && view.limit >= 1 && view.limit <= 100))
      tell(`limit: must be a whole number from 1 to 100, not ${view.limit}`)
    if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(view.uri)) tell(`"${view.uri}" must be lower-case letters, digits and hyphens`)
    if (taken.has(view.uri))
      tell(view.uri === tableView ? 'the table has this name' : 'another view has this name; give it a `uri` of its own')
    taken.add(view.uri)
  }
  const first = views.filter(({ initial }) => initial)
  if (first.length > 1) say('view', 'views', `a list begins with one view, and ${list(first.map(({ uri }) => uri))} are \`initial\``)
}

/** Whether a value of the field has a tone. */
function isToned(field: Bound | undefined): boolean {
  const [first] = (field && !field.kind.many(field) && field.kind.options(field)) || []
  return first !== undefined && field?.kind.tone(first, field) !== null
}

function checkThroughs(resource: Resource, known: Known, say: Say): void {
  for (const name of resource.filters) {
    const fault = resource.fields.has(name) || !name.includes('.') ? null : throughFault(resource, name, known)
    if (fault !== null) say('filter', 'filters', fault)
  }
  for (const name of resource.pages.index) {
    const fault = isFollowed(resource, name) ? columnFault(resource, name, known) : null
    if (fault !== null) say('page-field', 'pages.index', fault)
  }
  for (const name of (resource.written.sortable as readonly string[] | undefined) ?? []) {
    const fault = sortFault(resource, name, known)
    if (fault !== null) say('sortable', 'sortable', fault)
  }
}

/** Whether a name of the index page means what a relation leads to. */
const isFollowed = ({ fields, computed }: Resource, name: string) => name.includes('.') && !fields.has(name) && !computed.has(name)

function checkTags(resource: Resource, say: Say): void {
  for (const [key, { where }] of resource.queryTags) {
    try {
      reached(resource, where('UTC'))
    } catch (thrown) {
      say('query-tag', `queryTags.${key}`, (thrown as Error).message)
    }
  }
}

/** The pages of components of the panel and its resources, each with its place in the declarations. */
function allPages(resources: readonly Resource[], pages: readonly Page[]): readonly (readonly [where: string, page: Page])[] {
  const own = resources.flatMap(({ uriKey, morePages }) =>
    [...morePages.values()].filter(isComposed).map((page) => [`${uriKey}.pages.more.${page.uri}`, page] as const),
  )
  return [...pages.map((page) => [`pages.${page.uri}`, page] as const), ...own]
}

/** NOT NULL columns without a default that a new record would leave empty. */
function neverSet(resource: Resource, panel: Policies): readonly (readonly [key: string, why: string])[] {
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

type Say = (id: string, at: string, text: string) => void

const list = (names: Iterable<string>) => [...names].join(', ')

function checkFields(resource: Resource, say: Say): void {
  const { written, model, fields, computed, ownStore } = resource
  const stored = storedIn(model)
  for (const key of Object.keys((written.fields as object | undefined) ?? {})) {
    const field = (written.fields as Record<string, Field>)[key] as Field
    const link = linkOf(model, key, field)
    const tally = tallyOf(model, key, field)
    if (typeof tally === 'string') say('tally', `fields.${key}`, tally)
    else if (tally && ownStore) say('tally', `fields.${key}`, 'a store of your own tells nothing of related records')
    else if (tally?.where) checkReached(resource, tally, (text) => say('tally', `fields.${key}`, `.where(): ${text}`))
    else if (typeof link === 'string') say('link', `fields.${key}`, link)
    else if (link && ownStore) say('link', `fields.${key}`, 'a store of your own has no link tables')
    else if (!model.columns.has(key)) say('field-column', `fields.${key}`, `"${key}" is not a column. Valid: ${list(stored)}`)
  }
  // Derived ones, too: a form would never write them.
  for (const key of fields.keys())
    if (key.startsWith('_'))
      say(
        'field-name',
        `fields.${key}`,
        'names that begin with _ are reserved for the panel; rename the key in the schema, or declare `fields` without it',
      )
  for (const field of fields.values()) {
    if (!field.kind.columns.includes(field.column.type)) {
      say(
        'field-kind',
        `fields.${field.key}`,
        `the kind "${field.kind.name}" needs a column of type ${list(field.kind.columns)}, but this one is ${field.column.type}`,
      )
    } else sayFault(`fields.${field.key}`, field, say)
    const preset: unknown = model.columns.get(field.key)?.drizzle.default
    const usual = field.default ?? preset ?? null
    if (typeof usual !== 'object' && nextOf(field, null, null)?.includes(usual) === false)
      say('field-methods', `fields.${field.key}`, `no record may begin with its default, ${inspect(usual)}`)
    if (typeof preset === 'string' && preset.startsWith('sql`'))
      say(
        'column-default',
        `fields.${field.key}`,
        `new records would begin with the text ${JSON.stringify(preset)}: drizzle-kit pull has put quotes around an expression; in the schema, write .default(${preset})`,
      )
  }
  for (const [key, one] of computed) {
    const { needs, decimals, currency, minor } = one
    if (decimals !== undefined && !isDigits(decimals))
      say('computed-decimals', `computed.${key}.decimals`, `${decimals} is not a number of digits from 0 to 20`)
    if (currency !== undefined && !isCurrency(currency))
      say('computed-currency', `computed.${key}.currency`, `${JSON.stringify(currency)} is no code of a currency, such as "EUR"`)
    if (minor && currency === undefined)
      say('computed-currency', `computed.${key}.minor`, 'it needs a `currency`, whose smallest unit it means')
    const fault = unitFault(one)
    if (fault !== null) say('computed-unit', `computed.${key}.unit`, fault)
    if (model.columns.has(key)) say('computed-name', `computed.${key}`, 'a column has this name; choose another one')
    for (const need of needs)
      if (!model.columns.has(need))
        say('computed-needs', `computed.${key}.needs`, `"${need}" is not a column. Valid: ${list(model.columns.keys())}`)
  }
}

/** The tables that the condition of a number of related records compares with are in the same database, too. */
function checkReached(resource: Resource, { where, model }: Tally, say: (text: string) => void): void {
  try {
    reached(resource, condition(where as Where<unknown>, model.columns, 'UTC'))
  } catch (thrown) {
    say((thrown as Error).message)
  }
}

/** The names of what the table itself holds. */
const storedIn = ({ columns }: Model) => [...columns.values()].filter(({ link, tally }) => !link && !tally).map(({ key }) => key)

function checkUngated(at: string, { editableWhen }: Bound, say: Say): void {
  if (editableWhen !== null) say('editable-when', at, 'an action has no record that could be asked')
}

function sayFault(at: string, field: Bound, say: Say): void {
  const fault = field.kind.fault(field)
  if (fault !== null) say('field-methods', at, fault)
  else if (!takesDefault(field)) say('field-methods', at, `the field rejects its own default, ${inspect(field.default)}`)
}

/** Checks `editableWhen`: it is judged by the record alone. */
function checkGates({ fields, model }: Resource, say: Say): void {
  for (const { key, editableWhen } of fields.values()) {
    if (editableWhen === null) continue
    const at = `fields.${key}.editableWhen`
    try {
      const met = condition(editableWhen.where as Where<unknown>, model.columns, 'UTC')
      if (isAlways(met)) say('editable-when', at, 'it has no condition: without it, every record can be changed')
      for (const { name } of othersIn(met))
        say('editable-when', at, `valuesOf("${name}"): it is judged by the record alone, whatever other tables have`)
    } catch (thrown) {
      say('editable-when', at, (thrown as Error).message)
    }
  }
}

/** Checks `showWhen`: the other field must be in the form and be able to have the values. */
function checkShown({ fields, pages }: Resource, say: Say): void {
  for (const field of fields.values()) {
    if (!field.showWhen) continue
    const at = `fields.${field.key}.showWhen`
    const { field: name, texts } = field.showWhen
    const source = pages.form.includes(name) && name !== field.key ? fields.get(name) : undefined
    const others = pages.form.filter((one) => one !== field.key && fields.has(one))
    if (!source) say('show-when', at, `"${name}" is not another field of the form. Valid: ${list(others)}`)
    if (source?.kind.rows) say('show-when', at, `"${name}" has rows, and no value of its own`)
    // One of several values is sent in a list.
    const typed = (text: string) => (source?.kind.many(source) ? JSON.stringify([text]) : text)
    const wrong = source && texts.find((text) => !parseValue(source, source.kind.read(typed(text), source, { timeZone: 'UTC' })))
    if (wrong !== undefined) say('show-when', at, `${name} can never be "${wrong}"`)
    if (field.required)
      say('show-when', at, 'a required field could not be saved while the form hides it; make it optional and require it in `validate`')
  }
}

function checkNames(resource: Resource, say: Say): void {
  const { pages, filters, fields, computed, sortColumn, model, written, version } = resource
  const readable = [...fields.keys(), ...computed.keys()]
  for (const [page, names] of Object.entries(pages)) {
    for (const name of names)
      if (!readable.includes(name) && !(page === 'index' && isFollowed(resource, name)))
        say('page-field', `pages.${page}`, `"${name}" is not declared. Valid: ${list(readable)}`)
    const twice = names.find((name, i) => names.indexOf(name) !== i)
    if (twice) say('page-field', `pages.${page}`, `"${twice}" is listed twice`)
  }
  for (const page of Object.keys((written.pages as object | undefined) ?? {})) {
    if ((reservedPageUris as readonly string[]).includes(page))
      say('page-uri', `pages.${page}`, `"${page}" is a route of the panel; choose another one. Reserved: ${list(reservedPageUris)}`)
    else if (page !== 'more' && !(page in pages))
      say('page-unknown', `pages.${page}`, `there is no such page. Valid: ${list([...Object.keys(pages), 'more'])}`)
  }
  for (const name of filters)
    if (!fields.has(name) && !name.includes('.')) say('filter', 'filters', `"${name}" is not declared. Valid: ${list(fields.keys())}`)
  // A filter's name is in brackets.
  for (const name of filters)
    if (name.includes(']'))
      say('filter', 'filters', `no URL can ask for "${name}", because of its ]: rename the key in the schema, or leave it out`)
  for (const [name, fault] of massUpdateFaults(resource)) say('mass-update', 'massUpdate', `"${name}" ${fault}`)
  const unsorted = unsortedText(resource, sortColumn)
  if (unsorted !== null && sortColumn !== model.key.key && !resource.sortable.includes(sortColumn))
    say('sort-column', 'sortColumn', unsorted)
  const stored = storedIn(model)
  if (version !== null && !stored.includes(version))
    say('version-column', 'version', `"${version}" is not a column. Valid: ${list(stored)}`)
  checkLabel(resource, say)
}

function checkLabel({ written, model, fields, computed, label }: Resource, say: Say): void {
  const name = written.column as string | undefined
  if (name === undefined || label) return
  const stored = storedIn(model)
  // A text may be a key that people read, such as a code.
  const leads = (key: string) => {
    const column = model.columns.get(key)
    return column !== model.key && column?.type !== 'text' && (fields.get(key)?.kind.relation === true || Boolean(column?.references))
  }
  if (!stored.includes(name))
    say('label-column', 'column', `"${name}" is neither a column nor a computed value. Valid: ${list([...stored, ...computed.keys()])}`)
  else if (leads(name))
    say(
      'label-column',
      'column',
      `"${name}" is a relation: records would be called by the key of another one. Valid: ${list(stored.filter((key) => !leads(key)))}`,
    )
}

const switches = ['stickyTable', 'simplePaginate', 'requireIfMatch', 'usePagination', 'isAsync', 'columnSelection']

function checkValues(resource: Resource, say: Say): void {
  const { itemsPerPage, maxItemsPerPage, maxMassDelete, sortDirection, clickAction, count, written } = resource
  for (const [name, value] of Object.entries({ itemsPerPage, maxItemsPerPage, maxMassDelete })) {
    if (!Number.isSafeInteger(value) || value < 1) say('setting-number', name, `must be a whole number of at least 1, not ${value}`)
  }
  if (itemsPerPage > maxItemsPerPage)
    say('items-per-page', 'itemsPerPage', `${itemsPerPage} is more than maxItemsPerPage (${maxItemsPerPage}); raise that too`)
  if (!['ASC', 'DESC'].includes(sortDirection)) say('setting-value', 'sortDirection', `"${sortDirection}" is neither ASC nor DESC`)
  if (clickAction !== null && !['SELECT', 'DETAIL', 'EDIT'].includes(clickAction)) {
    say('setting-value', 'clickAction', `"${clickAction}" is none of SELECT, DETAIL, EDIT and null`)
  }
  if (!['exact', 'capped'].includes(count)) say('setting-value', 'count', `"${count}" is neither exact nor capped`)
  for (const name of switches) {
    const value = written[name]
    if (value !== undefined && typeof value !== 'boolean') say('setting-value', name, `${JSON.stringify(value)} is neither true nor false`)
  }
}

const rowUpdated = wireName('TABLE_ROW_UPDATED')

/** The names of all tables in client events, and whether any table of that name is asynchronous. */
function asyncTables(resources: ReadonlyMap<string, Resource>, pages: readonly Page[]): ReadonlyMap<string, boolean> {
  const all = [...resources.values()]
  const tables = all.map(({ table, isAsync }) => [table.name, isAsync] as const)
  const ofRecords = all.flatMap(({ related }) => related.map(({ table }) => table))
  for (const components of [...allPages(all, pages).map(([, page]) => page.components), ofRecords])
    for (const one of everyComponent(components)) {
      if (one.is !== 'table') continue
      const of = resources.get(uriOf(one.resource))
      tables.push([one.name, one.async ?? of?.isAsync ?? true])
    }
  return new Map(tables.map(([name]) => [name, tables.some(([other, isAsync]) => other === name && isAsync)]))
}

function checkRowUpdates({ fields, model, isAsync }: Resource, tables: ReadonlyMap<string, boolean>, say: Say): void {
  for (const field of fields.values()) {
    const { events = [], updateRow } = field.own as { events?: readonly string[]; updateRow?: string }
    if (updateRow === undefined && !events.some((event) => event.startsWith(rowUpdated))) continue
    if (!fields.has(model.key.key))
      say('row-update-id', `fields.${field.key}`, `row updates need an ID field: declare \`${model.key.key}: id()\``)
    if (!isAsync) say('row-update-async', `fields.${field.key}`, 'row updates need asynchronous mode: remove `isAsync: false`')
    if (updateRow !== undefined && !tables.has(updateRow))
      say('row-update-table', `fields.${field.key}`, `no table is named "${updateRow}". Valid: ${[...tables.keys()].join(', ')}`)
    for (const [name, refreshes] of tables) {
      if (refreshes || !isAsync || (name !== updateRow && !events.includes(jsEvent('TABLE_ROW_UPDATED', `${name}-{row-id}`)))) continue
      say(
        'row-update-table',
        `fields.${field.key}`,
        `the table "${name}" is not asynchronous: remove its \`async: false\` or \`isAsync: false\``,
      )
    }
  }
}

function checkActions({ handlers, methods, indexButtons, buttons }: Resource, say: Say): void {
  for (const [at, all] of Object.entries({ handlers, methods })) {
    for (const [uri, action] of all) if (!action.changes) checkAction(`${at}.${uri}`, action, say)
  }
  for (const [at, all] of Object.entries({ indexButtons, buttons })) {
    for (const button of all) {
      checkButton(at, button, { handlers, methods }, say)
      if ('bulk' in button && button.bulk && button.handler === undefined)
        say('button-bulk', at, `"${button.label}" acts on the selected rows, so it must name a handler`)
    }
  }
}

function* actionFields({ handlers, methods }: Resource): Generator<readonly [at: string, field: Bound, among: Resource['fields']]> {
  for (const [name, all] of Object.entries({ handlers, methods })) {
    // The fields of records lead where they do in a record.
    for (const [uri, { fields }] of [...all].filter(([, { changes }]) => !changes))
      for (const [key, field] of fields) yield [`${name}.${uri}.fields.${key}`, field, fields]
  }
}
