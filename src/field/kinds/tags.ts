import * as z from 'zod'
import { attributes, block, type Html, html } from '../../base/html.js'
import { a } from '../../base/setting.js'
import { mostFault } from '../bounds.js'
import { cutList } from '../cut-list.js'
import type { Bound, ViewContext } from '../field.js'
import { controlAttributes, defineKind, describedAttributes } from '../kind.js'
import { givenSuggestions, type Suggestions, someSuggestions, suggested } from '../suggested.js'
import { taking } from '../taking.js'
import { mostCharacters, textOf } from '../text-length.js'
import { asLines, isTexts, linesIn, listIn, tidied } from '../texts.js'

interface Own {
  max?: number
  itemMax?: number
  suggestions?: () => readonly string[]
}

const usualMost = 1000
const shownAtOnce = { inColumn: 3, inWords: 50 }

/**
 * A list of short texts that users make up, over json columns and array columns of text: keywords, aliases. In JSON a list of texts, each
 * once. It cannot be sorted; filters ask for one of its texts.
 *
 * What is typed into a form or a file is trimmed, and empty and repeated texts are left out. JSON is stored as it is sent, or refused.
 *
 * @example
 * ```ts
 * import { tags } from 'daymark'
 *
 * export const topics = tags('Topics').suggestions(['news', 'sports']).max(10).itemMax(30)
 * ```
 */
export const tags = defineKind<
  readonly string[],
  {
    /** The most texts: a whole number, at least 1. Default: 1000. */
    max(most: number): { max: number }
    /** The most characters of each text: a whole number, at least 1. Default: what the column takes. */
    itemMax(length: number): { itemMax: number }
    /** Texts that forms and filters offer while the user types, as with `text`; any other is valid too. Default: none. */
    suggestions(texts: Suggestions): { suggestions: () => readonly string[] }
  },
  'contains' | 'null'
>({
  name: 'tags',
  columns: ['json'],
  operators: ['contains', 'null'],
  operatorsOfMany: ['contains', 'null'],
  own: {
    max: taking((max) => ({ max }), a.number),
    itemMax: taking((itemMax) => ({ itemMax }), a.number),
    suggestions: taking((texts) => ({ suggestions: givenSuggestions(texts) }), someSuggestions),
  },
  many: () => true,
  lines: true,
  fault: ({ own, column: { element }, sortable }) => {
    if (element && element.type !== 'text') return `the column is a list of values of type ${element.type}: it needs one of texts`
    if (element?.options) return 'its column takes only the values of an enum: use select().multiple()'
    if (sortable) return 'a list of texts has no order to sort by: leave out .sortable()'
    return mostFault('max', own.max) ?? mostFault('itemMax', own.itemMax)
  },
  schema: ({ own, column, required }) => {
    const all = z
      .array(
        textOf({ max: mostCharacters(own.itemMax, column.element ?? column) })
          .check(tidy)
          .meta({ minLength: 1 }),
      )
      .max(own.max ?? usualMost)
      .check(eachOnce)
    return (required ? all.min(1) : all).meta({ uniqueItems: true })
  },
  read: (typed) => {
    const list = listIn(typed)
    // A file may have words instead, by lines or by commas. A list has whatever there is in a text.
    if (!Array.isArray(list)) return /[\r\n]/.test(typed) ? linesIn(typed) : tidied(typed.split(','))
    return isTexts(list) ? tidied(list) : list
  },
  // A stored value that is no list of texts is shown as null.
  wire: (value) => (isTexts(value) ? value : null),
  // Matches what a form sends.
  text: (value) => {
    const all = isTexts(value) ? tidied(value.flatMap(linesIn)) : []
    return all.length === 0 ? '' : JSON.stringify(all)
  },
  words: (value) => itemsOf(value).join(', '),
  cell: (value, _field, ctx) => {
    const all = itemsOf(value)
    if (all.length === 0) return html`<span class="none">&mdash;</span>`
    const more = all.length > 1 && html` data-more="+${all.length - 1}"`
    return cutList(all, shownAtOnce, ctx, (some, rest) => html`<span class="badges"${more}>${some.map(badge)}${rest}</span>`)
  },
  input: control,
  filter: (typed, field, ctx) =>
    block`
      <input
        type="text"
        value="${typed}"
        autocomplete="off"
        ${field.own.suggestions && html` list="${ctx.id}-list"`}
        ${controlAttributes(field, ctx)}
      >
      ${offered(field, ctx)}
    `,
})

// What would be typed as another text, or as several, could not stay as it is in a form.
const tidy: z.core.CheckFn<string> = ({ value, issues }) => {
  const [line, ...others] = linesIn(value)
  if (line !== value || others.length > 0) issues.push({ code: 'custom', input: value, params: { says: 'field.notTidy' } })
}

const eachOnce: z.core.CheckFn<readonly string[]> = ({ value, issues }) => {
  for (const [i, one] of value.entries())
    if (value.indexOf(one) < i) issues.push({ code: 'custom', input: value, path: [i], params: { says: 'field.twice' } })
}

/** What a stored value holds, as texts. A json column may hold anything, whatever its field declares. */
function itemsOf(value: unknown): readonly string[] {
  return [value].flat().map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
}

const badge = (one: string) => html`<span class="badge tag" title="${one}">${one}</span>`

/** One text on each line, which loses no comma. A script makes it a line of texts to remove, and of one to type. */
function control(typed: string, field: Bound<Own>, ctx: ViewContext): Html {
  const how = `${ctx.id}-how`
  const { t } = ctx
  const says = attributes({
    'data-remove': t('tags.remove', { name: '{name}' }),
    'data-added': t('tags.added', { name: '{name}' }),
    'data-removed': t('tags.removed', { name: '{name}' }),
    'data-enter': t('tags.enter'),
  })
  return html`<div class="tags"${says}><textarea rows="3"${describedAttributes(field, ctx, how)}>
${asLines(typed)}</textarea>${offered(field, ctx)}<div class="how" id="${how}">${t('tags.lines')}</div></div>`
}

function offered({ own }: Bound<Own>, ctx: ViewContext): Html | null {
  return own.suggestions ? suggested(`${ctx.id}-list`, own.suggestions()) : null
}
