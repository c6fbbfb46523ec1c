import type { Bound } from '../../field/field.js'
import { operatorsOf } from '../../field/kind.js'
import { always, type Condition } from '../condition/condition.js'
import { uriOf } from '../condition/declared.js'
import { areAlike } from '../condition/values-of.js'
import type { Column, Model } from '../model/model.js'
import { list } from '../problem.js'
import type { Resource } from '../resource.js'
import { unsortedText } from '../unsorted.js'
import { reached } from './reach.js'

/** The most relations that a filter follows one after another. */
const mostFollowed = 3

/** From the records of one resource to those of another one. */
export interface Step {
  /** The field that links them: of the records that are left, or, `back`, of those that it leads to. */
  readonly relation: Bound
  /** Whether it goes the other way: to the records of a `hasMany`, which refer to this one. */
  readonly back: boolean
  /** The resource that it leads to. */
  readonly target: Resource
  /** What users read. */
  readonly label: string
}

/** A filter by a field of related records, or a column that shows it: `companyId.country`. */
export interface Through {
  /** The field that the filter is by, named and labelled by the whole way to it. */
  readonly field: Bound
  /** The field as a column: it is shown alone, and null where a step leads to nothing. */
  readonly shown: Bound
  /** The relations that it follows, at least one. */
  readonly steps: readonly Step[]
  /** The field of the last resource. */
  readonly of: Bound
  /** The last resource. */
  readonly target: Resource
}

/** The filters and columns of each resource that follow relations, by name. */
export type Throughs = ReadonlyMap<Resource, ReadonlyMap<string, Through>>

type Links = ReadonlyMap<Bound, Resource>

/** What the relations of a panel lead to. */
export interface Known {
  readonly links: Links
  readonly resources: ReadonlyMap<string, Resource>
}

/** What is wrong with a column of lists that shows what relations lead to; null: nothing. */
export function columnFault(resource: Resource, name: string, known: Known): string | null {
  const fault = throughFault(resource, name, known)
  const way = fault === null ? wayOf(resource, name, known) : fault
  if (typeof way === 'string') return way
  const several = way.steps.find(({ relation, back }) => back || relation.kind.many(relation))
  if (several) return `"${name}" leads to several records, by "${several.label}", and a column has one value for each record`
  return way.of.kind.file ? `"${name}" holds files, which are shown with their own record` : null
}

/** What is wrong with a column that lists are to be sorted by, if there is nothing wrong with the column; null: nothing. */
export function sortFault(resource: Resource, name: string, known: Known): string | null {
  const way = wayOf(resource, name, known)
  if (typeof way === 'string' || !resource.pages.index.includes(name))
    return `"${name}" is no column of \`pages.index\` that a relation leads to. Valid: ${list(resource.pages.index.filter((one) => typeof wayOf(resource, one, known) !== 'string'))}. Of a field, say \`.sortable()\``
  return unsortedText((way.steps.at(-1) as Step).target, way.of.key)
}

/** What is wrong with a filter that follows relations; null: nothing. */
export function throughFault(resource: Resource, name: string, known: Known): string | null {
  const way = wayOf(resource, name, known)
  if (typeof way === 'string') return way
  let here = resource
  for (const step of way.steps) {
    for (const [one, other] of pairsOf(here, step))
      if (!areAlike(one, other))
        return `"${step.relation.key}" is stored in another way than the key of ${(step.back ? here : step.target).uriKey}, so the database cannot compare them`
    here = step.target
  }
  try {
    reached(
      resource,
      across(resource, way.steps, always, (_, met) => met),
    )
    return null
  } catch (thrown) {
    const through = way.steps.map(({ target }) => target.uriKey)
    return `"${name}": ${through.join(' or ')} is not in the same database, or in a store of your own (${(thrown as Error).message})`
  }
}

/**
 * The filters and columns of a panel that follow relations, and what their fields lead to, if these are relations themselves.
 *
 * @param label the label of such a field, by those of a relation and of what is behind it
 */
export function throughsOf(
  resources: readonly Resource[],
  links: Links,
  label: (relation: string, field: string) => string,
): { readonly throughs: Throughs; readonly links: Links } {
  const known = { links, resources: new Map(resources.map((one) => [one.uriKey, one])) }
  const all = new Map(links)
  const throughs = new Map<Resource, ReadonlyMap<string, Through>>()
  for (const resource of resources) {
    const own = new Map<string, Through>()
    for (const name of new Set([...resource.filters, ...resource.pages.index])) {
      if (resource.fields.has(name) || resource.computed.has(name)) continue
      const way = wayOf(resource, name, known)
      if (typeof way === 'string') continue
      const { steps, of } = way
      const field: Bound = Object.freeze({ ...of, key: name, label: steps.reduceRight((text, step) => label(step.label, text), of.label) })
      const leads = links.get(of)
      const { updateOnPreview: _, ...plain } = of.own
      // Where a step leads to nothing it is null, whatever its own column may hold.
      const column = Object.freeze({ ...of.column, notNull: false })
      const sortable = resource.sortable.includes(name) && sortFault(resource, name, known) === null
      const shown: Bound = Object.freeze({ ...field, own: plain, column, nullable: true, required: false, readOnly: true, sortable })
      if (leads) for (const one of [field, shown]) all.set(one, leads)
      own.set(name, Object.freeze({ field, shown, steps, of, target: (steps.at(-1) as Step).target }))
    }
    if (own.size > 0) throughs.set(resource, own)
  }
  return { throughs, links: all }
}

/**
 * The condition that a record leads to one that meets a condition.
 *
 * @param seen narrows the condition of each resource on the way to the records that count there
 */
export function across(
  resource: Resource,
  steps: readonly Step[],
  met: Condition,
  seen: (target: Resource, met: Condition) => Condition,
): Condition {
  return steps.reduceRight<Condition>((inner, step, i) => {
    const here = i === 0 ? resource : (steps[i - 1] as Step).target
    return crossed(here, step, seen(step.target, inner))
  }, met)
}

function crossed({ model }: Resource, { relation, back, target }: Step, where: Condition): Condition {
  const link = linkOf(model, { relation, back, target })
  const { key } = target.model
  if (!link) return back ? among(model.key, target.model, relation, where) : among(relation, target.model, key, where)
  const [ours, theirs] = back ? [link.target, link.source] : [link.source, link.target]
  return among(model.key, link.model, ours, among(theirs, target.model, key, where))
}

const linkOf = (here: Model, { relation, back, target }: Omit<Step, 'label'>) =>
  (back ? target.model : here).columns.get(relation.key)?.link ?? null

const among = (column: { readonly key: string }, of: Model, values: { readonly key: string }, where: Condition): Condition => ({
  op: 'among',
  column: column.key,
  of,
  values: values.key,
  where,
})

/** The columns that a step compares. */
function pairsOf({ model }: Resource, step: Step): readonly (readonly [Column, Column])[] {
  const { relation, back, target } = step
  const [from, to] = back ? [target.model, model] : [model, target.model]
  const link = linkOf(model, step)
  return link
    ? [
        [link.source, from.key],
        [link.target, to.key],
      ]
    : [[from.columns.get(relation.key) as Column, to.key]]
}

/** The relations that a name follows, and the field that it ends with; a text: what is wrong with it. */
function wayOf(resource: Resource, name: string, known: Known): Pick<Through, 'steps' | 'of'> | string {
  const steps: Step[] = []
  let here = resource
  let rest = name
  for (;;) {
    const of = steps.length > 0 ? here.fields.get(rest) : undefined
    if (of && operatorsOf(of).length > 0) return { steps, of }
    const dot = rest.indexOf('.')
    if (dot < 0) {
      const valid = [...here.fields.values()].filter((one) => operatorsOf(one).length > 0).map(({ key }) => key)
      return `"${rest}" is not a field of ${here.uriKey} that can be filtered by. Valid: ${list(valid)}`
    }
    if (steps.length === mostFollowed) return `"${name}" follows more than ${mostFollowed} relations`
    const first = rest.slice(0, dot)
    const step = stepsFrom(here, known).find(([name]) => name === first)?.[1]
    if (!step) {
      const valid = new Set(stepsFrom(here, known).map(([name]) => name))
      return `"${name}" follows "${first}", which is neither a relation of ${here.uriKey} nor a list of \`related\` there. Valid: ${list(valid)}`
    }
    steps.push(step)
    here = step.target
    rest = rest.slice(dot + 1)
  }
}

/** The steps that can be taken from a resource, by name: its relations, then its lists of related records. */
function stepsFrom(resource: Resource, { links, resources }: Known): readonly (readonly [name: string, step: Step])[] {
  // A trash has the records of its resource, which is what these refer to.
  const here = resource.trashOf ?? resource
  const steps: (readonly [string, Step])[] = []
  for (const field of resource.fields.values()) {
    const target = links.get(field)
    if (target) steps.push([field.key, { relation: field, back: false, target, label: field.label }])
  }
  for (const { by, table } of here.related) {
    const target = resources.get(uriOf(table.resource))
    const leading = target ? [...target.fields.values()].filter((field) => links.get(field) === here) : []
    const relation = by === null ? leading[0] : leading.find(({ key }) => key === by)
    if (target && relation && (by !== null || leading.length === 1))
      steps.push([table.name, { relation, back: true, target, label: table.title ?? target.title }])
  }
  return steps
}
