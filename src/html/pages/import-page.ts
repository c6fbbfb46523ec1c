import { block, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import { fieldsOfFile } from '../../crud/import/columns.js'
import { ImportError } from '../../crud/import/error.js'
import type { ImportCheck, ImportCounts, Importing } from '../../crud/outcomes/imports.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { columns as body } from '../components/facts.js'
import { crumbs, heading } from '../components/heading.js'
import { notice } from '../components/notice.js'
import { assetUrl } from '../frame/assets.js'
import { page } from '../frame/page.js'
import { assigned, fieldsOf } from './import-columns.js'
import { importForm, listUrl } from './import-form.js'

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
          html`${importForm(importing, at)}<div class="imported" id="import-said">${said(importing, at)}</div>${fieldsOf(importing, at)}`,
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

/** What a file would do, or why it was refused, and what its columns are taken for. */
function said(importing: Importing, at: PresenterContext): Html {
  const { columns, error } = importing
  // What is wrong with the file as a whole may be what its columns are taken for.
  const isWrong = error?.errors.has('file') ?? false
  return html`${outcomeOf(importing, at)}${columns && assigned(columns, isWrong, at)}`
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
