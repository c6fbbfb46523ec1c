import * as z from 'zod'
import { block, type Html, html } from '../../base/html.js'
import { capitalised } from '../../base/humanise.js'
import { a } from '../../base/setting.js'
import type { Bound, ViewContext } from '../field.js'
import { liveControl, type SavesInPlace, savesInPlace } from '../in-place.js'
import { controlAttributes, defineKind } from '../kind.js'
import { lineFeeds } from '../line-feeds.js'
import { stating, taking } from '../taking.js'
import { isTexts, listIn } from '../texts.js'
import { type Tone, tones } from '../tone.js'
import { type Beginning, leadsTo, type Step, stepsFault, stepsOf, type Transition } from '../transition.js'

/** Values to choose from: a list, or labels by value. */
export type SelectOptions = readonly string[] | Readonly<Record<string, string>>

interface Own {
  options?: ReadonlyMap<string, string>
  tones?: ReadonlyMap<string, Tone>
  transitions?: ReadonlyMap<string, readonly Step[]>
  begins?: readonly Step[] | null
  multiple?: true
  updateOnPreview?: true
}

const steps = a.list(a.either(a.text, a.object), 'a list of options')

/**
 * One of several values, over text columns; with `.multiple()` some of them, over json and array columns. Without `.options()`, it offers
 * the column's `enum`.
 */
export const select = defineKind<
  string | readonly string[],
  {
    /** The values to choose from: a list, or labels by value. Default: the column's `enum`, with labels made from its values. */
    options(options: SelectOptions): { options: ReadonlyMap<string, string> }
    /** The colours of values where they are shown, in charts, too: `{ paid: 'good', late: 'bad' }`. Default: all are grey. */
    tones(tones: Readonly<Record<string, Tone>>): { tones: ReadonlyMap<string, Tone> }
    /**
     * Which option a record may go to from each: `{ draft: ['sent'], sent: ['paid', 'void'], paid: [], void: [] }`. Every option is named; one
     * with `[]` is final. `{ to: 'paid', roles: ['accountant'] }` is for users with one of these roles alone. Users' writes of existing records
     * that go elsewhere are refused. Default: from any to any.
     *
     * `{ begins: ['draft'] }` behind them says where a new record may begin. Default: anywhere.
     */
    transitions(
      transitions: Readonly<Record<string, readonly (string | Transition)[]>>,
      more?: Beginning,
    ): {
      transitions: ReadonlyMap<string, readonly Step[]>
      begins: readonly Step[] | null
    }
    /** Lets users choose several values: needs a json column or an array column. */
    multiple(): { multiple: true }
  } & SavesInPlace,
  'eq' | 'ne' | 'null'
>({
  name: 'select',
  columns: ['text', 'json'],
  operators: ['eq', 'ne', 'null'],
  operatorsOfMany: ['contains', 'null'],
  adds: ['events'],
  own: {
    options: taking(
      (options) => ({
        options: new Map(
          Array.isArray(options) ? options.map((one: string) => [one, label(one)]) : Object.entries(options as Record<string, string>),
        ),
      }),
      a.either(a.list(a.text), a.byName(a.text)),
    ),
    tones: taking((tones) => ({ tones: new Map(Object.entries(tones as Record<string, Tone>)) }), a.byName(a.text)),
    transitions: taking(
      (transitions, more) => ({
        transitions: new Map(
          Object.entries(transitions as Record<string, readonly (string | Transition)[]>).map(([from, to]) => [from, stepsOf(to)]),
        ),
        begins: more?.begins ? stepsOf(more.begins) : null,
      }),
      a.byName(steps),
      a.maybe(a.form({ begins: steps })),
    ),
    multiple: stating({ multiple: true }),
    ...savesInPlace,
  },
  many: ({ own }) => own.multiple === true,
  tone: (value, field) => {
    const { tones } = field.own
    if (!tones || typeof value !== 'string') return null
    const toneOf = (one: string) => tones.get(one) ?? 'plain'
    // Not by how many records have it: it would change its colour from chart to chart.
    const first = [...optionsOf(field).keys()].find((one) => toneOf(one) === toneOf(value)) ?? value
    return first === value ? toneOf(value) : `${toneOf(value)}-2`
  },
  options: (field) => [...optionsOf(field).keys()],
  fault: (field) => {
    const [options, held] = [[...optionsOf(field).keys()], field.column.options]
    if (options.length === 0) return 'it has no options, and the column no enum: name some with .options([…])'
    if (field.column.element && !field.own.multiple) return 'the column is a list, and one value is none: add .multiple()'
    if (field.own.multiple && field.column.type !== 'json')
      return `.multiple() needs a json column or a list, and this one is ${field.column.type}`
    if (field.own.multiple && field.own.updateOnPreview) return 'updateOnPreview() saves one value, and with .multiple() there are several'
    for (const [value, tone] of field.own.tones ?? []) {
      if (!options.includes(value)) return `.tones() has ${JSON.stringify(value)}, which is no option. There are: ${options.join(', ')}`
      if (!tones.includes(tone)) return `.tones() has no ${JSON.stringify(tone)}. There are: ${tones.join(', ')}`
    }
    const { transitions, begins } = field.own
    if (transitions && field.own.multiple) return '.transitions() lead from one value to another, and with .multiple() there are several'
    for (const [from, steps] of transitions ?? []) {
      if (!options.includes(from)) {
        const hint = from === 'begins' ? '. Where records begin stands behind the steps: .transitions({ … }, { begins: […] })' : ''
        return `.transitions() has ${JSON.stringify(from)}, which is no option. There are: ${options.join(', ')}${hint}`
      }
      const wrong = stepsFault(`from ${from} `, steps, options)
      if (wrong !== null) return wrong
    }
    const silent = transitions ? options.filter((one) => !transitions.has(one)) : []
    if (silent.length > 0) return `.transitions() does not say where ${silent.join(', ')} may go: a list of options, or [] for nowhere`
    const first = begins ? beginsFault(begins, options) : null
    if (first !== null) return first
    const strange = held ? options.filter((one) => !held.includes(one)) : []
    return strange.length > 0 ? `the column's own enum has not ${strange.join(', ')}. It has: ${held?.join(', ')}` : null
  },
  // What is no option any more may go anywhere, or the record could never be put right.
  next: (value, { own }, roles) => {
    const steps = typeof value === 'string' ? own.transitions?.get(value) : undefined
    return steps ? leadsTo(steps, roles) : null
  },
  begins: ({ own }, roles) => (own.begins ? leadsTo(own.begins, roles) : null),
  roles: ({ own }) => [...(own.transitions?.values() ?? []), own.begins ?? []].flat().flatMap(({ roles }) => roles ?? []),
  // A cursor over a single value contains the stored one.
  open: true,
  schema: (field) => {
    const one = z.enum([...optionsOf(field).keys()])
    if (field.own.transitions) return one.describe(wayFrom(field.own.transitions, field.own.begins ?? null))
    return field.own.multiple ? z.array(one) : one
  },
  read: (typed, { own }) => (own.multiple ? listIn(typed) : typed),
  // A stored value that is no list of texts is shown as null.
  wire: (value, { own }) => (own.multiple && !isTexts(value) ? null : value),
  plain: ({ own }) => own.multiple !== true,
  // Matches what the form's checkboxes send: in the order of the options, each once, with LF line ends.
  text: (value, field) => {
    if (!field.own.multiple) return typeof value === 'string' ? value : ''
    const chosen = withStored(optionsOf(field), value).flatMap(([one]) =>
      Array.isArray(value) && value.includes(one) ? [lineFeeds(one)] : [],
    )
    return chosen.length === 0 ? '' : JSON.stringify([...new Set(chosen)])
  },
  words: (value, field) => {
    const options = optionsOf(field)
    return [value]
      .flat()
      .map((one) => options.get(one) ?? plainly(one))
      .join(', ')
  },
  cell: (value, field) => {
    const options = optionsOf(field)
    if (Array.isArray(value) && value.length === 0) return html`<span class="none">&mdash;</span>`
    const badge = (one: string) => {
      // Without any tones, its values are no states.
      const tone = field.own.tones ? field.own.tones.get(one) : 'tag'
      return html`<span class="badge${tone && ` ${tone}`}" data-value="${plainly(one)}">${options.get(one) ?? plainly(one)}</span>`
    }
    return Array.isArray(value)
      ? html`<span class="badges"${value.length > 1 && html` data-more="+${value.length - 1}"`}>${value.map(badge)}</span>`
      : badge(value as string)
  },
  input: (typed, field, ctx) => {
    const chosen = field.own.multiple ? listIn(typed) : typed
    const options = withStored(optionsOf(field), chosen)
    if (!field.own.multiple) return oneOf(typed, field, ctx, options)
    return block`
      <div class="choices" id="${ctx.id}">
        <input type="hidden" name="${ctx.name}" value="">
        ${options.map(
          ([one, text], i) =>
            block`
              <label>
                <input
                  type="checkbox"
                  name="${ctx.name}"
                  value="${one}"
                  ${Array.isArray(chosen) && chosen.includes(one) && html` checked`}
                  ${i === 0 && ctx.error.length > 0 && html` aria-invalid="true"`}
                > ${text}
              </label>
            `,
        )}
      </div>
    `
  },
  live: (typed, field, ctx) => liveControl(typed, field, ctx, (...given) => oneOf(...given, withStored(optionsOf(field), typed))),
  filter: (typed, field, ctx) =>
    block`
      <select${controlAttributes({ ...field, required: false }, ctx)}>
        <option value="">${ctx.t('list.any')}</option>
        ${withStored(optionsOf(field), typed).map(
          ([one, text]) => html`<option value="${one}"${one === typed && html` selected`}>${text}</option>`,
        )}
      </select>
    `,
  filterSeveral: (texts, field, ctx) =>
    block`
      <div class="choices">
        ${withStored(optionsOf(field), texts).map(
          ([one, text]) =>
            block`
              <label>
                <input type="checkbox" name="${ctx.name}" value="${one}"${texts.includes(one) && html` checked`}> <span>${text}</span>
              </label>
            `,
        )}
      </div>
    `,
})

function oneOf(typed: string, field: Bound<Own>, ctx: ViewContext, options: readonly (readonly [string, string])[]): Html {
  // What must have a value offers none, once it has one.
  const isNone = ctx.next === null ? field.nullable || ctx.save === null : field.nullable && ctx.next.includes('')
  const none = (typed === '' || isNone) && html`<option value=""></option>`
  const offered = ctx.next === null ? options : options.filter(([one]) => one === typed || ctx.next?.includes(one))
  return block`
    <select${controlAttributes(field, ctx)}>
      ${none}
      ${offered.map(([one, text]) => html`<option value="${one}"${one === typed && html` selected`}>${text}</option>`)}
    </select>
  `
}

function optionsOf({ own, column }: Bound<Own>): ReadonlyMap<string, string> {
  return own.options ?? new Map((column.options ?? []).map((one) => [one, label(one)]))
}

/** The transitions in words for the OpenAPI document. */
function wayFrom(transitions: ReadonlyMap<string, readonly Step[]>, begins: readonly Step[] | null): string {
  const words = ({ to, roles }: Step) => (roles === null ? to : `${to} (for some roles)`)
  const ways = [...transitions].map(([from, to]) => `from ${from} ${to.length > 0 ? `to ${to.map(words).join(' or ')}` : 'nowhere'}`)
  const first = begins ? ` A new one begins with ${begins.map(words).join(' or ')}.` : ''
  return `A record that exists goes ${ways.join(', ')}.${first}`
}

/** What is wrong with the options that a record begins with; null: nothing. */
function beginsFault(begins: readonly Step[], options: readonly string[]): string | null {
  if (begins.length === 0) return '.transitions() lets no record begin: begins has at least one option'
  return stepsFault('', begins, options)
}

/** A json column may hold anything, whatever its field declares. Showing it as it is is better than failing the page. */
function plainly(stored: unknown): string {
  return typeof stored === 'string' ? stored : JSON.stringify(stored)
}

/** Adds stored values that are no longer among the options, so that saving a form untouched keeps them. */
function withStored(options: ReadonlyMap<string, string>, chosen: unknown): readonly (readonly [string, string])[] {
  const values: readonly unknown[] = Array.isArray(chosen) ? chosen : [chosen]
  const more = values.filter((one) => typeof one === 'string' && one !== '' && !options.has(one)) as string[]
  return [...options, ...[...new Set(more)].map((one) => [one, one] as const)]
}

/** `in_review` → `In review`: users see words, never raw keys. */
function label(value: string): string {
  return capitalised(value.replace(/[-_]+/g, ' '))
}
