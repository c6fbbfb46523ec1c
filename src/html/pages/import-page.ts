import { block, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import { fieldsOfFile, matchNames } from '../../crud/import/columns.js'
import { ImportError } from '../../crud/import/error.js'
import { matchText } from '../../crud/import/match.js'
import { mostRows } from '../../crud/import/row.js'
import type { FileColumn, FileColumns, ImportCheck, ImportCounts, Importing, ImportMode } from '../../crud/outcomes/imports.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { url } from '../../route/url.js'
import { button, buttonLink } from '../components/button.js'
import { columns as body } from '../components/facts.js'
import { field } from '../components/field.js'
import { multipart } from '../components/form.js'
import { crumbs, heading } from '../components/heading.js'
import { notice } from '../components/notice.js'
import { assetUrl } from '../frame/assets.js'
import { hiddenWithZone } from '../frame/form-token.js'
import { page } from '../frame/page.js'

/** The form of an import, what its file would do or what is wrong with it, and the columns that a file may have. */
export function importPage(importing: Importing, at: PresenterContext): Reply {
  const { resource, error } = importing
  const { t } = at.realm
  const trail = crumbs([{ label: resource.title, href: listUrl(importing, at) }], t)
  return page(
    at,
    {
      title: t('import.into', { title: resource.title }),
      status: error?.status ?? 200,
      headers: error?.headers ?? {},
      styles: [assetUrl(at.place, 'import.css')],
      scripts: [assetUrl(at.place, 'imports.js')],
    },
    block`
      <div class="record">
        ${trail}${heading({ title: t('import.into', { title: resource.title }) })}
        ${body(
          html`${formOf(importing, at)}<div class="imported" id="import-said">${said(importing, at)}</div>${fieldsOf(importing, at)}`,
          null,
        )}
      </div>
    `,
  )
}

/** How many records an import creates and changes, as users read it. */
export function importedCounts({ created, updated, unchanged }: ImportCounts, { realm: { locale } }: PresenterContext) {
  const text = (count: number) => numberText(locale, count)
  return { created: text(created), updated: text(updated), unchanged: text(unchanged) }
}

function listUrl({ resource }: Importing, { place }: PresenterContext): string {
  return url(place, 'crud.index', { resourceUri: resource.uriKey })
}

const formId = 'import-form'

function formOf(importing: Importing, at: PresenterContext): Html {
  const { resource, modes, mode, error, once } = importing
  const { t, locale } = at.realm
  const formats = [...at.realm.formats.values()]
  const label = formats.length === 0 ? t('import.file') : t('import.fileOr', { format: formats.map((one) => one.label).join(', ') })
  const wrong = error instanceof ImportError ? [] : (error?.errors.get('file') ?? [])
  const hintOfText = t('import.fileHint', { most: numberText(locale, mostRows) })
  const hint = formats.length === 0 ? hintOfText : `${hintOfText} ${t('import.sheetHint')}`
  const described = ['import-file-hint', wrong.length > 0 && 'import-file-error'].filter(Boolean).join(' ')
  const file = block`
    <div class="file-control">
      <input
        type="file"
        name="file"
        id="import-file"
        accept="${['.csv,.txt,.tsv,text/csv', ...formats.flatMap(({ name, type }) => [`.${name}`, type])].join(',')}"
        required
        aria-describedby="${described}"
        ${wrong.length > 0 && html` aria-invalid="true"`}
      >
    </div>
  `
  const hidden = [...hiddenWithZone(at), ['_once', once]] as const
  return block`
    <form
      class="import card"
      id="${formId}"
      method="post"
      action="${url(at.place, 'crud.import', { resourceUri: resource.uriKey })}"
      ${multipart}
      data-changed="${t('import.changed')}"
    >
      ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      ${
        modes.length > 1
          ? field(
              {
                id: 'import-mode',
                label: t('import.modeTitle'),
                required: false,
                hint: null,
                errors: error?.errors.get('mode') ?? [],
                group: true,
                control: html`<span class="modes">${modes.map((one) => modeOf(one, importing, at))}</span>`,
              },
              t,
            )
          : html`<input type="hidden" name="mode" value="${mode}"><p class="muted">${hintOf(mode, importing, at)}</p>`
      }
      ${field({ id: 'import-file', label, required: true, hint, errors: wrong, control: file }, t)}
      <div class="actions">
        ${buttonLink({ label: t('action.cancel'), href: listUrl(importing, at), tone: 'plain' })}
        ${button({ label: t('import.check') }, { name: 'check', value: '1' })}
        ${button({ label: t('import.run'), tone: 'primary', icon: 'upload' })}
      </div>
    </form>
  `
}

function hintOf(mode: ImportMode, { key, match, fields }: Importing, { realm }: PresenterContext): string {
  const { t } = realm
  if (mode !== 'create' && match.length > 0) {
    const hint = t(`import.${mode}MatchHint`, { match: matchText({ realm }, null, match) })
    return key ? `${hint} ${t('import.keyFirst', { key: key.label })}` : hint
  }
  // Users may write the key of a new record.
  const hint = mode === 'both' && key && fields.includes(key) ? 'import.bothOwnHint' : (`import.${mode}Hint` as const)
  return t(hint as 'import.updateHint', { key: key?.label ?? '' })
}

function modeOf(mode: ImportMode, importing: Importing, at: PresenterContext): Html {
  const { t } = at.realm
  return block`
    <label>
      <input type="radio" name="mode" value="${mode}"${mode === importing.mode && html` checked`} aria-describedby="import-${mode}">
      <span>${t(`import.${mode}`)}<span class="muted" id="import-${mode}">${hintOf(mode, importing, at)}</span></span>
    </label>
  `
}

/** What a file would do, or why it was refused, and what its columns are taken for. */
function said(importing: Importing, at: PresenterContext): Html {
  const { columns, error } = importing
  // What is wrong with the file as a whole may be what its columns are taken for.
  const isWrong = error?.errors.has('file') ?? false
  return html`${outcomeOf(importing, at)}${columns && assigned(columns, isWrong, at)}`
}

/** The columns of a file, each with a choice of what it is for. The choices belong to the form above. */
function assigned({ mark, columns, names }: FileColumns, isWrong: boolean, at: PresenterContext): Html {
  const { t } = at.realm
  return block`
    <details class="card assigned"${(isWrong || columns.some(isUnassigned)) && html` open`}>
      <summary>${t('import.assign')}</summary>
      <p class="muted">${t('import.assignText')}</p>
      <input type="hidden" name="_columns" value="${mark}" form="${formId}">
      <table>
        <thead>
          <tr>
            <th scope="col">${t('import.assignColumn')}</th>
            <th scope="col">${t('import.assignSample')}</th>
            <th scope="col">${t('import.assignTo')}</th>
          </tr>
        </thead>
        <tbody>
          ${columns.map(
            (one) =>
              block`
                <tr>
                  <th scope="row">${one.name || one.number}</th>
                  <td>${one.sample.slice(0, longestSample)}</td>
                  <td>${choiceOf(one, names, at)}</td>
                </tr>
              `,
          )}
        </tbody>
      </table>
    </details>
  `
}

const longestSample = 60

/** Whether a column is for no field, and holds something. */
const isUnassigned = ({ name, called, sample }: FileColumn) => called === null && (name !== '' || sample !== '')

// Called so, a column without a name stays without one. An empty text would leave it out.
const unnamed = ' '

function choiceOf(one: FileColumn, names: FileColumns['names'], { realm: { t } }: PresenterContext): Html {
  const { number, name, called, guess } = one
  const isOpen = isUnassigned(one)
  const chosen = called ?? guess ?? (isOpen ? null : '')
  const option = (value: string, label: string, selected: boolean) =>
    html`<option value="${value}"${selected && html` selected`}>${label}</option>`
  // As it is called in the file, which is refused: whoever sees it may not drop a column by doing nothing.
  const none = isOpen && option(name || unnamed, t('import.choose'), guess === null)
  return block`
    <select
      name="column[${number}]"
      form="${formId}"
      aria-label="${t('import.assignOf', { name: name || number })}"
      ${isOpen && guess === null && html` aria-invalid="true"`}
    >
      ${none}${option('', t('import.leaveOut'), chosen === '')}
      ${names.map(({ name, label }) => option(name, label, name === chosen))}
    </select>
  `
}

/** What a file would do, or why it was refused. */
function outcomeOf({ error, checked, fields, key, match }: Importing, at: PresenterContext): Html | null {
  if (checked) return wouldDo(checked, at)
  if (error === null) return null
  if (!(error instanceof ImportError)) {
    const others = [...error.errors.values()].flat().filter((text) => text !== error.message)
    return notice(
      'bad',
      error.message,
      others.map((text) => ({ text })),
      true,
    )
  }
  return block`
    ${notice('bad', error.message, [], true)}
    ${faultsOf(error, new Map(fieldsOfFile(fields, key, match).map((one) => [one.key, one.label])), at)}
  `
}

function wouldDo(checked: ImportCheck, at: PresenterContext): Html {
  const { fields, ignored, named } = checked
  const { t } = at.realm
  const lines = [
    { text: t('import.taken', { names: fields.join(', ') }) },
    ...(named === '' ? [] : [{ text: t('import.foundBy', { names: named }) }]),
    ...(ignored.length > 0 ? [{ text: t('import.ignored', { names: ignored.join(', ') }) }] : []),
  ]
  return notice('good', t('import.checked', importedCounts(checked, at)), lines, true)
}

function faultsOf({ faults, more }: ImportError, labels: ReadonlyMap<string, string>, at: PresenterContext): Html {
  const { t, locale } = at.realm
  const rows = faults.flatMap(({ line, errors }) => [...errors].map(([name, texts]) => ({ line, name, text: texts.join(' ') })))
  return block`
    <div class="card">
      <table class="faults">
        <thead>
          <tr>
            <th scope="col" class="number">${t('import.line')}</th>
            <th scope="col">${t('import.field')}</th>
            <th scope="col">${t('import.problem')}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ line, name, text }) =>
              html`<tr><th scope="row" class="number">${line}</th><td>${labels.get(name) ?? name}</td><td>${text}</td></tr>`,
          )}
        </tbody>
      </table>
      ${more > 0 && html`<p class="muted">${t('import.more', { count: numberText(locale, more) })}</p>`}
    </div>
  `
}

/** The columns that a file may have. */
function fieldsOf(importing: Importing, at: PresenterContext): Html {
  const { fields, key, match, modes, related } = importing
  const { t } = at.realm
  const all = fieldsOfFile(fields, key, match).flatMap((field) => {
    const byMatch = matchNames(t, field, related.get(field) ?? [])
    return [
      { ...field, isNeeded: field.required && fields.includes(field) && modes.includes('create') },
      ...(byMatch ? [{ ...byMatch, isNeeded: false }] : []),
    ]
  })
  const must = t('form.required')
  const needed = html` <span class="required" title="${must}" aria-hidden="true">*</span><span class="unseen"> (${must})</span>`
  return block`
    <section class="card import-fields" aria-labelledby="import-columns">
      <h2 id="import-columns">${t('import.columns')}</h2>
      <p class="muted">${t('import.columnsText')}</p>
      <ul>
        ${all.map(
          ({ label, key, isNeeded }) =>
            block`
              <li>
                <span>
                  ${label}
                  ${isNeeded && needed}
                </span> <code>${key}</code>
              </li>
            `,
        )}
      </ul>
      ${templatesOf(importing, at)}
    </section>
  `
}

/** An empty file of the columns, in each format. */
function templatesOf({ resource }: Importing, { place, realm: { t, formats } }: PresenterContext): Html {
  const href = url(place, 'crud.importTemplate', { resourceUri: resource.uriKey })
  const csv = html`<a href="${href}" download>${t('import.template', { format: 'CSV' })}</a>`
  return block`
    <p class="templates">
      ${csv}
      ${[...formats.values()].map(
        ({ name, label }) => html` <a href="${href}?format=${name}" download>${t('import.template', { format: label })}</a>`,
      )}
    </p>
  `
}
