import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { type Density, densities } from '../../crud/call/preferences.js'
import { button } from './button.js'
import { icon } from './icon.js'

export interface OptionsView {
  readonly id: string
  /** The URL that preferences are sent to. */
  readonly action: string
  readonly token: Html
  readonly density: Density
  /** Null if columns cannot be chosen. */
  readonly columns: {
    readonly name: string
    /** What moves them in the menu. */
    readonly script: string
    readonly all: readonly ColumnView[]
  } | null
  /** Null if there is only one order. */
  readonly sorting: {
    readonly steps: readonly {
      readonly label: string
      readonly direction: 'ascending' | 'descending' | null
      readonly turn: string
      readonly remove: string | null
    }[]
    readonly also: readonly { readonly label: string; readonly href: string }[]
  } | null
  /** The URL of the list in the order that users put its records in; null: there is none, or it is in it. */
  readonly ownOrderUrl: string | null
  /** The files that the list can be exported to. */
  readonly exports: readonly { readonly format: string; readonly href: string }[]
  /** The URL of the import; null: there is none. */
  readonly importUrl: string | null
  /** What users read on the link to it. */
  readonly importText: string
  /** The URL of the list of deleted records; null: there is none. */
  readonly trashUrl: string | null
}

interface ColumnView {
  readonly key: string
  readonly label: string
  readonly shown: boolean
  /** Whether it may change places with others. */
  readonly moves: boolean
}

/** The view options of a list: row height, sort order and columns. */
export function optionsMenu(
  { id, action, token, density, columns, sorting, ownOrderUrl, exports, importUrl, importText, trashUrl }: OptionsView,
  t: Translate,
): Html {
  const hidden = html`<input type="hidden" name="_method" value="PATCH">${token}`
  return block`
    <div class="menu options" popover id="${id}">
      <form class="desk-only" method="post" action="${action}">
        ${hidden}
        <div class="title" id="${id}-density">${t('density.title')}</div>
        <div class="segments" role="group" aria-labelledby="${id}-density">
          ${densities.map(
            (one) =>
              block`
                <button name="density" value="${one}" aria-pressed="${one === density ? 'true' : 'false'}">${t(`density.${one}`)}</button>
              `,
          )}
        </div>
      </form>
      ${sorting && orders(sorting, t)}
      ${ownOrderUrl !== null && html`<a href="${ownOrderUrl}">${icon('chevron-up-down')}<span>${t('move.own')}</span></a>`}
      ${columns && chooser(columns, id, action, hidden, t)}
      ${exports.map(
        ({ format, href }) => html`<a class="phone-only" href="${href}">${icon('download')}<span>${t('export.as', { format })}</span></a>`,
      )}
      ${importUrl !== null && html`<a class="phone-only" href="${importUrl}">${icon('upload')}<span>${importText}</span></a>`}
      ${trashUrl !== null && html`<a href="${trashUrl}">${icon('delete')}<span>${t('trash.title')}</span></a>`}
    </div>
  `
}

function orders({ steps, also }: NonNullable<OptionsView['sorting']>, t: Translate): Html {
  return block`
    <div class="title">${t('list.sort')}</div>
    <ol>
      ${steps.map(
        ({ label, direction, turn, remove }) =>
          block`
            <li>
              <a href="${turn}">
                <span>${label}</span>
                <span class="unseen">${t(direction === 'descending' ? 'list.descending' : 'list.ascending')}</span>
                ${icon(direction === 'descending' ? 'arrow-down' : 'arrow-up')}
              </a>
              ${
                remove !== null &&
                html`<a class="forget" href="${remove}" aria-label="${t('sort.remove', { name: label })}">${icon('x')}</a>`
              }
            </li>
          `,
      )}
    </ol>
    ${
      also.length > 0 &&
      block`
        <details class="then">
          <summary>${icon('plus')}${t('sort.then')}</summary>
          ${also.map(({ label, href }) => html`<a href="${href}">${label}</a>`)}
        </details>
      `
    }
  `
}

function chooser({ name, script, all }: NonNullable<OptionsView['columns']>, id: string, action: string, hidden: Html, t: Translate): Html {
  const at = t('move.at', { at: '{at}', count: '{count}' })
  // The form's first button is the one that Enter presses.
  return block`
    <form method="post" action="${action}" data-script="${script}">
      ${hidden}<input type="hidden" name="${name}" value=""><button hidden></button>
      <fieldset class="columns" data-at="${at}">
        <legend class="title" id="${id}-columns">${t('columns.title')}</legend>
        ${all.map((one) => column(one, waysOf(one, all), name, id, t))}
      </fieldset>
      <div class="actions">
        ${button({ label: t('list.apply') })}
        ${button({ label: t('columns.reset'), tone: 'plain' }, { form: `${id}-reset` })}
      </div>
    </form>
    <form id="${id}-reset" method="post" action="${action}">${hidden}<input type="hidden" name="${name}" value=""></form>
  `
}

/** Where a column may go, among those that are shown and may change places. */
function waysOf(column: ColumnView, all: readonly ColumnView[]): Record<'up' | 'down', boolean> {
  const among = all.filter(({ shown, moves }) => shown && moves)
  const at = among.indexOf(column)
  return { up: at > 0, down: at >= 0 && at < among.length - 1 }
}

function column(
  { key, label, shown, moves }: ColumnView,
  ways: Record<'up' | 'down', boolean>,
  name: string,
  id: string,
  t: Translate,
): Html {
  const box = html`<label><input type="checkbox" name="${name}" value="${key}"${shown && html` checked`}><span>${label}</span></label>`
  const way = (to: 'up' | 'down') =>
    block`
      <button name="_${to}" value="${key}" aria-label="${label}: ${t(`move.${to}`)}"${!ways[to] && html` aria-disabled="true"`}>
        ${icon(`arrow-${to}`)}
      </button>
    `
  return block`
    <div class="column" id="${id}-${key}"${moves && html` data-moves`}>
      ${box}
      ${moves && html`<span class="handle scripted" aria-hidden="true"></span>${way('up')}${way('down')}`}
    </div>
  `
}
