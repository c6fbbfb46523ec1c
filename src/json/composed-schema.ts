import { outputSchema, type Schema } from '../field/wire-schema.js'
import { choicesIn } from '../resource/condition/chosen-where.js'
import type { Declared } from '../resource/condition/declared.js'
import type { PageFilter, PeriodFilter, ValueFilter } from '../resource/condition/page-choice.js'
import type { Chart, Component } from '../resource/pages/component.js'
import type { Reading } from '../resource/pages/figure.js'
import type { Resource } from '../resource/resource.js'
import { closed } from './schema.js'

/** The schemas of a resource that a component shows. */
export interface ShownSchemas {
  /** The resource. */
  readonly resource: Resource
  /** A page of its records. */
  readonly list: Schema
  /** A form of it. */
  readonly form: Schema
}

/** What is chosen on a page, by the names of its filters. A caller may not see all of them. */
export function chosenSchema(filters: ReadonlyMap<string, PageFilter>, schemasOf: SchemasOf): Schema {
  const all = [...filters].map(
    ([name, filter]) => [name, filter.is === 'period' ? periodSchema(filter) : valueChosen(filter, schemasOf)] as const,
  )
  return closed(
    Object.fromEntries(all),
    all.flatMap(([name]) => (filters.get(name)?.is === 'value' ? [name] : [])),
  )
}

function periodSchema({ options, initial }: PeriodFilter): Schema {
  const day = (description: string): Schema => ({ ...text, format: 'date', description })
  const days = closed({
    within: { enum: [...options, null], description: 'The ready period; null: it was named by its days.' },
    from: day('The first day.'),
    to: day('The last day.'),
  })
  return initial === null ? { anyOf: [days, { type: 'null' }] } : days
}

function valueChosen({ resource, field }: ValueFilter, schemasOf: SchemasOf): Schema {
  const found = schemasOf(resource).resource.fields.get(field)
  return found ? { anyOf: [outputSchema(found), { type: 'null' }] } : {}
}

type SchemasOf = (resource: Declared | string) => ShownSchemas

const text: Schema = { type: 'string' }

/** The data of a page's components by name. Callers get those that they may see, so none is required. */
export function composedSchema(components: readonly Component[], schemasOf: SchemasOf): Schema {
  const all = components.flatMap((one) => {
    const schema = schemaOf(one, schemasOf)
    return schema && 'name' in one ? [[one.name, schema] as const] : []
  })
  return { type: 'object', properties: Object.fromEntries(all), additionalProperties: false }
}

function schemaOf(component: Component, schemasOf: SchemasOf): Schema | null {
  switch (component.is) {
    case 'table':
      return schemasOf(component.resource).list
    case 'form':
      return schemasOf(component.resource).form
    case 'metric':
    case 'badge': {
      const label = component.label === null ? { const: null } : text
      const { value } = component
      const before = component.is === 'metric' ? component.before : null
      const own = {
        label,
        value: valueSchema(value, schemasOf),
        ...(hasRecord(value) && { record: recordSchema }),
        ...(before && { before: valueSchema(before.value, schemasOf) }),
      }
      // Before any time there is nothing to compare with.
      return closed(own, ['record', ...(before && namesBefore(before.value) ? ['before'] : [])])
    }
    case 'progress':
      return closed({ label: text, value: valueSchema(component.value, schemasOf), max: valueSchema(component.max, schemasOf) })
    case 'chart':
      return chartSchema(component)
    default:
      return null
  }
}

/** Whether a value is that of the period before the one that users choose. */
function namesBefore(reading: Reading): boolean {
  return typeof reading === 'object' && reading !== null && choicesIn(reading.where).some(({ is }) => is === 'before')
}

/** Whether a value may be that of one record. */
function hasRecord(reading: Reading): boolean {
  return typeof reading === 'object' && (reading?.of === 'smallest' || reading?.of === 'largest')
}

function valueSchema(reading: Reading, schemasOf: SchemasOf): Schema {
  if (typeof reading !== 'object' || reading === null) return { type: ['string', 'number', 'null'] }
  const { of, column, resource } = reading
  if (of === 'count' && column === null) return { type: 'integer', minimum: 0 }
  if (!hasRecord(reading)) return { type: ['number', 'null'] }
  const field = schemasOf(resource).resource.fields.get(column as string)
  return field ? { anyOf: [outputSchema(field), { type: 'null' }] } : {}
}

const recordSchema = closed({ resource: text, key: text, label: text })

function chartSchema({ data }: Chart): Schema {
  const isCount = typeof data !== 'function' && 'of' in data && data.of === 'count'
  const number: Schema = isCount ? { type: 'integer' } : { type: ['number', 'null'] }
  const named = { label: text, value: {}, others: { const: true, description: 'All that is in none of the others.' } }
  const bound = (description: string): Schema => ({ ...text, description })
  const group = {
    ...named,
    from: bound('Where the period begins: a day, or an instant.'),
    until: bound('Where it ends, which is no longer part of it.'),
  }
  return closed({
    label: text,
    groups: { type: 'array', items: closed(group, ['value', 'others', 'from', 'until']) },
    series: {
      type: 'array',
      items: closed({ ...named, values: { type: 'array', items: number, description: 'A number for each group.' } }, ['value', 'others']),
    },
    more: { type: 'boolean', description: 'Whether there are more groups or series than these.' },
  })
}
