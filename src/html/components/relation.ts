import { attributes, block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button } from './button.js'
import { icon } from './icon.js'

export interface CreateRelated {
  readonly label: string
  readonly href: string
  /** The query parameter that prefills what labels the record, so that it need not be typed twice; null: none does. */
  readonly named: string | null
  /** The columns that begin with what the relation must match. */
  readonly begins: readonly string[]
}

/** What a relation must match of the same form. */
export interface MatchingView {
  /** The other fields, each with the column of the related record, and what is said while it is empty. */
  readonly others: readonly { readonly ours: string; readonly at: string; readonly theirs: string; readonly first: string }[]
  /** The hint while none of them is. */
  readonly hint: string | null
  /** What is said of a record that no longer matches. */
  readonly wrong: string
}

export interface RelationView {
  readonly id: string
  readonly name: string
  readonly label: string
  /** The control that holds the key, or the boxes of those that are chosen. */
  readonly control: Html
  /** Whether it takes several records. */
  readonly several: boolean
  /** The label of the record with that key; null: none, or several. */
  readonly now: string | null
  readonly searched: string
  /** Where to create a related record; null if the user may not. */
  readonly create: CreateRelated | null
  /** What it must match; null: nothing in this form. */
  readonly matching: MatchingView | null
  /** The names of the controls that a choice fills. */
  readonly fills: readonly string[]
  /** The URL that scripts search at. */
  readonly url: string
  /** Whether only the form itself can search: then a script asks that. */
  readonly byForm: boolean
  /** The results of a search; null without one. */
  readonly choices: readonly { readonly key: string; readonly label: string; readonly hint?: string }[] | null
  /** The keys of those that are chosen already, if it takes several. */
  readonly chosen: readonly string[]
}

/** Chooses related records by searching, however many there are. Without script, the form itself searches. */
export function relation(view: RelationView, t: Translate): Html {
  const { name, label, control, several, now, searched, create, url, byForm, choices, matching, fills } = view
  return block`
    <div
      class="relation${several && ' several'}"
      data-search="${url}"
      ${byForm && html` data-asks="${name}"`}
      ${matching && matches(matching)}
      ${fills.length > 0 && html` data-fills="${JSON.stringify(fills)}"`}
    >
      <div class="now">${control}${now !== null && html`<span class="related">${now}</span>`}</div>
      <details class="find"${choices !== null && html` open`}>
        <summary class="button">${t(several ? 'form.add' : 'form.find')}</summary>
        <div class="finder">
          <div class="ask">
            <input type="hidden" name="_asked[${name}]" value="${searched}">
            <input
              type="search"
              name="_query[${name}]"
              value="${searched}"
              aria-label="${t('form.findIn', { label })}"
              placeholder="${t('form.findIn', { label })}"
            >
            ${button({ label: t('list.search') }, { name: '_search', value: name, formnovalidate: true })}
          </div>
          ${choices && found(view, choices, t)}
        </div>
      </details>
      ${create && creates(create)}
    </div>
  `
}

/** What scripts need to narrow the search again, and to say what no longer matches. */
function matches({ others, hint, wrong }: MatchingView): Html {
  const all = others.map(({ ours, at, theirs, first }) => ({ ours, at, theirs, first }))
  return attributes({ 'data-matching': JSON.stringify(all), 'data-hint': hint ?? '', 'data-wrong': wrong })
}

/** Opens another page, so that nothing typed is lost. A script opens its form in a dialog. */
function creates({ label, href, named, begins }: CreateRelated): Html {
  return block`
    <a
      class="button create"
      href="${href}"
      target="_blank"
      rel="noopener"
      aria-label="${label}"
      title="${label}"
      ${named !== null && html` data-named="${named}"`}
      ${begins.length > 0 && html` data-begins="${begins.join(' ')}"`}
    >
      ${icon('plus')}
    </a>
  `
}

function found({ id, name, several, chosen }: RelationView, choices: NonNullable<RelationView['choices']>, t: Translate): Html {
  if (choices.length === 0) return html`<p class="muted" role="status">${t('form.foundNone')}</p>`
  // Those that are chosen already have a box above.
  const box = (key: string) =>
    chosen.includes(key)
      ? html`<input type="checkbox" value="${key}" checked disabled>`
      : html`<input type="${several ? 'checkbox' : 'radio'}" name="${name}" value="${key}">`
  return block`
    <fieldset class="choices" id="${id}-found">
      <legend class="unseen">${t('form.found')}</legend>
      ${choices.map(
        ({ key, label, hint }) =>
          html`<label>${box(key)} <span>${label}</span>${hint !== undefined && html` <span class="muted">${hint}</span>`}</label>`,
      )}
    </fieldset>
  `
}
