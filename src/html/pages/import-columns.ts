import { block, type Html, html } from '../../base/html.js'
import { fieldsOfFile, matchNames } from '../../crud/import/columns.js'
import type { FileColumn, FileColumns, Importing } from '../../crud/outcomes/imports.js'
import type { PresenterContext } from '../../face/face.js'
import { url } from '../../route/url.js'
import { importFormId } from './import-form.js'

/** The columns of a file, each with a choice of what it is for. The choices belong to the form above. */
export function assigned({ mark, columns, names }: FileColumns, isWrong: boolean, at: PresenterContext): Html {
  const { t } = at.realm
  return block`
    <details class="card assigned"${(isWrong || columns.some(isUnassigned)) && html` open`}>
      <summary>${t('import.assign')}</summary>
      <p class="muted">${t('import.assignText')}</p>
      <input type="hidden" name="_columns" value="${mark}" form="${importFormId}">
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
      form="${importFormId}"
      aria-label="${t('import.assignOf', { name: name || number })}"
      ${isOpen && guess === null && html` aria-invalid="true"`}
    >
      ${none}${option('', t('import.leaveOut'), chosen === '')}
      ${names.map(({ name, label }) => option(name, label, name === chosen))}
    </select>
  `
}

/** The columns that a file may have. */
export function fieldsOf(importing: Importing, at: PresenterContext): Html {
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
