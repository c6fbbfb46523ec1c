import { block, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import { ImportError } from '../../crud/import/error.js'
import { matchText } from '../../crud/import/match.js'
import { mostRows } from '../../crud/import/row.js'
import type { Importing, ImportMode } from '../../crud/outcomes/imports.js'
import type { PresenterContext } from '../../face/face.js'
import { url } from '../../route/url.js'
import { button, buttonLink } from '../components/button.js'
import { field } from '../components/field.js'
import { multipart } from '../components/form.js'
import { hiddenWithZone } from '../frame/form-token.js'

/** The id of the form, which controls elsewhere on its page belong to. */
export const importFormId = 'import-form'

/** The form of an import: its file, and what is done with the records in it. */
export function importForm(importing: Importing, at: PresenterContext): Html {
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
      id="${importFormId}"
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

/** The list that is imported into. */
export function listUrl({ resource }: Importing, { place }: PresenterContext): string {
  return url(place, 'crud.index', { resourceUri: resource.uriKey })
}
