import { block, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import { isControlled } from '../../crud/form/control.js'
import type { Formed, FormField, Restoring } from '../../crud/outcomes/forms.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { newTitle } from '../../resource/singular.js'
import { ownPath, url } from '../../route/url.js'
import { button, buttonLink } from '../components/button.js'
import { conflict } from '../components/conflict.js'
import { columns, facts } from '../components/facts.js'
import { form } from '../components/form.js'
import { crumbs, heading } from '../components/heading.js'
import { icon } from '../components/icon.js'
import { notice } from '../components/notice.js'
import { assetUrl } from '../frame/assets.js'
import { control, controlId, shownText, withLabel } from '../frame/form-control.js'
import { computedOutput, inOrder } from '../frame/form-output.js'
import { hiddenWithZone } from '../frame/form-token.js'
import { moment } from '../frame/moment.js'
import { page } from '../frame/page.js'
import { checkUrl, recordUrls } from '../frame/record-urls.js'
import { buttonsForm, resourceButtons } from '../list/buttons.js'
import { nestedErrors, nestedSection } from './nested.js'

/** The form of a new or existing record. After a refusal it holds what was typed. */
export function formPage(outcome: Formed, at: PresenterContext): Reply {
  const { resource, key, label, error } = outcome
  const { t } = at.realm
  const list = url(at.place, 'crud.index', { resourceUri: resource.uriKey })
  const from = cameFrom(outcome, at)
  const title = key === null ? newTitle(resource, t) : (label ?? key)
  const trail = [
    { label: resource.title, href: list },
    ...(key !== null && outcome.may.view ? [{ label: title, href: recordUrls(at.place, resource.uriKey).show(key) }] : []),
  ]
  const stale = error?.code === 'stale'
  const own = resourceButtons(resource, at, { page: 'form', ...(key !== null && outcome.record && { key, record: outcome.record }) })
  return page(
    at,
    { title, status: error?.status ?? 200, headers: error?.headers ?? {} },
    block`
      ${form({
        id: `form-${resource.uriKey}`,
        action: key === null ? list : recordUrls(at.place, resource.uriKey).show(key),
        validate: checkUrl(at.place, resource.uriKey, key),
        script: assetUrl(at.place, 'forms.js'),
        user: at.identity?.id ?? '',
        unkept: unkeptOf(outcome),
        restored: block`
          <div class="notice info" role="status">
            ${icon('info')}
            <p>${t('form.restored')}</p>
            ${button({ label: t('form.discard') }, { type: 'button' })}
          </div>
        `,
        files: sendsFiles(outcome),
        hidden: [...hiddenOf(outcome), ...(from === null ? [] : [['_back', from] as const]), ...hiddenWithZone(at)],
        crumbs: crumbs(trail, t),
        heading: heading({ title, actions: own }),
        notices: error ? notices(outcome, at) : outcome.restoring && restored(outcome.restoring, outcome, at),
        body: stale ? columns(html`${disagreements(outcome, at)}${nested(outcome, at)}`, null) : controls(outcome, at),
        actions: actions(outcome, at, from ?? (key === null ? listLeft(list, at) : (trail.at(-1)?.href ?? list))),
        unsaved: t('script.unsaved'),
      })}
      ${own.length > 0 && buttonsForm(at)}
    `,
  )
}

/**
 * The page that led here and that its user goes on at once this record is saved: that of another record, at its list of what belongs to it, or
 * for a record that is there, a list of it as it was filtered and paged, or a page of components, the first page among them. Null: none did,
 * or the record's own.
 */
function cameFrom({ back, key, begun, resource }: Formed, at: PresenterContext): string | null {
  const said = ownPath(at.place, back)
  if (said !== null || !at.reads) return said
  const led = at.shell?.back ?? ''
  const [path = ''] = led.split('?')
  if (key === null ? begun.length === 0 : path === recordUrls(at.place, resource.uriKey).show(key)) return null
  if (key !== null && lists(path, resource, at)) return led
  const isRecord = [...at.realm.resources.keys()].some((uriKey) => isBelow(path, recordUrls(at.place, uriKey).show('')))
  return isRecord ? led + (/^#[\w.-]+$/.test(back) ? back : '') : null
}

function lists(path: string, { uriKey: resourceUri }: Formed['resource'], { place, realm: { home } }: PresenterContext): boolean {
  // A first page of the panel's own making has only links to lists.
  if (home && path.replace(/\/$/, '') === url(place, 'index')) return true
  const own = [url(place, 'crud.index', { resourceUri }), url(place, 'resource.page', { resourceUri, pageUri: 'index-page' })]
  return own.includes(path) || isBelow(path, `${url(place, 'page', { pageUri: '' })}/`)
}

/** Whether a path has one more segment than its start, which ends in a slash. */
function isBelow(path: string, start: string): boolean {
  return path.length > start.length && path.startsWith(start) && !path.slice(start.length).includes('/')
}

/** The list as it was filtered and paged when the user left it for the form. */
function listLeft(list: string, { shell }: PresenterContext): string {
  const back = shell?.back ?? list
  return back.startsWith(`${list}?`) ? back : list
}

/** The fields of a form, and of its rows, that no browser is to keep. */
function unkeptOf({ fields, nested }: Formed): readonly string[] {
  const all = [...fields, ...nested.flatMap(({ rows, fresh }) => [...rows, ...(fresh ? [fresh] : [])].flatMap((row) => row.fields))]
  return [...new Set(all.filter(({ field: { kind } }) => kind.secret || kind.file !== null).map(({ field }) => field.key))]
}

/** Whether a form has a control for files, which only a multipart body can hold. */
export const sendsFiles = ({ fields }: Formed): boolean => fields.some(({ field, writable }) => writable && field.kind.file !== null)

/** The hidden inputs of a form. */
export function hiddenOf({ key, version, once, begun, fields, pageUri }: Formed): readonly (readonly [string, string])[] {
  const own = pageUri === null ? [] : [['_page', pageUri] as const]
  const begins = begun.length === 0 ? [] : [['_begun', String(new URLSearchParams(begun.map(([...one]) => one)))] as const]
  if (key === null) return [['_once', once], ...begins, ...own]
  const was = fields.filter((one) => one.writable).map((one) => [`_was[${one.field.key}]`, one.was] as const)
  return [['_method', 'PUT'], ...own, ...(version === null ? [] : [['_version', version] as const]), ...was]
}

/** What was refused, with links to the fields concerned. */
export function notices(formed: Formed, at: PresenterContext, prefix?: string): Html | null {
  const { t, locale } = at.realm
  const { error, fields } = formed
  if (!error) return null
  // What was typed there is no choice any more.
  const closed = fields.flatMap(({ closed, errors }) => (closed === null ? [] : errors.map((text) => ({ text }))))
  if (error.code === 'stale') return notice('warn', t('conflict.title'), [{ text: t('conflict.how') }, ...closed], true)
  const inRows = nestedErrors(formed, at)
  const own = [
    ...fields.flatMap((one) =>
      one.errors.map((text) => ({ text, line: { text: withLabel(text, one.field.label, t), href: `#${controlId(one, prefix)}` } })),
    ),
    ...inRows.map(({ text, href, about }) => ({ text, line: { text: t('record.about', { title: about, text }), href } })),
  ]
  const named = new Set(fields.map(({ field }) => field.key))
  const lists = formed.nested.map(({ name }) => name)
  const isInRow = (name: string) => inRows.length > 0 && lists.some((list) => name === list || name.startsWith(`${list}.`))
  const others = [...error.errors].flatMap(([name, texts]) =>
    named.has(name) || isInRow(name) ? [] : texts.map((text) => ({ text, line: { text } })),
  )
  const said = [...own, ...others]
  // An error at a field the user must not know of appears as the message alone. A script keeps this order: first what is of a field.
  // A row says it in more words.
  const isInWords = [...error.errors].some(([name, texts]) => isInRow(name) && texts.includes(error.message))
  const isSaid = said.length === 0 || isInWords || said.some(({ text }) => text === error.message)
  const lines = [...own.map(({ line }) => line), ...(isSaid ? [] : [{ text: error.message }]), ...others.map(({ line }) => line)]
  return lines.length === 0
    ? notice('bad', error.message, [], true)
    : notice('bad', t('form.wrong', { count: numberText(locale, lines.length) }), lines, own.length === 0)
}

/** Says that the form takes a change back, with links to the fields that it does so in. */
function restored({ at: instant, userName, values }: Restoring, { fields }: Formed, at: PresenterContext): Html {
  const { t } = at.realm
  const filled = fields.filter((one) => one.writable && values.has(one.field))
  const lines = filled.map((one) => ({ text: one.field.label, href: `#${controlId(one)}` }))
  return notice(
    'info',
    t(lines.length > 0 ? 'history.restoring' : 'history.restoresNone', { name: userName, at: moment(instant, at) }),
    lines,
  )
}

/** Editable fields in the main column, read-only ones beside it. */
function controls(formed: Formed, at: PresenterContext): Html {
  const { fields, resource } = formed
  const { t } = at.realm
  const readable = fields.filter((one) => !isControlled(one))
  return columns(
    html`${resource.sections.map((one) => section(one, formed, at))}${nested(formed, at)}`,
    readable.length > 0
      ? block`
        <section class="card" aria-label="${t('form.record')}">
          ${facts(readable.map((one) => ({ label: one.field.label, value: shownText(one, one.stored, at) })))}
        </section>
      `
      : null,
  )
}

/** The related records that are edited along with it. */
const nested = (formed: Formed, at: PresenterContext) => formed.nested.map((one) => nestedSection(one, formed, at))

function section({ label, fields: names }: Formed['resource']['sections'][number], formed: Formed, at: PresenterContext): Html | null {
  const own = inOrder(
    formed,
    formed.names.filter((name) => names.includes(name)),
    (one) => (isControlled(one) ? control(one, at, formed) : null),
    (one) => computedOutput(one, formed, at),
  )
  if (own.length === 0) return null
  if (label === null) return html`<div class="card section">${own}</div>`
  return html`<section class="card section" aria-label="${label}"><h2>${label}</h2>${own}</section>`
}

function disagreements({ fields }: Formed, at: PresenterContext): Html {
  const differing = fields.filter((one) => one.writable && one.text !== (one.stored ?? ''))
  if (differing.length === 0) return html`<div class="card section"><p>${at.realm.t('conflict.same')}</p></div>`
  const side = (one: FormField, text: string | null) => ({ text: text ?? '', shown: shownText(one, text, at) })
  const table = conflict(
    differing.map((one) => ({
      name: one.field.key,
      label: one.field.label,
      mine: side(one, one.text),
      theirs: side(one, one.stored),
      picked: one.untouched ? 'theirs' : 'mine',
    })),
    at.realm.t,
  )
  return html`<div class="card">${table}</div>`
}

/** In the order in which they are seen: no style turns it, so that Tab follows the eye. */
function actions({ key, may, error }: Formed, { realm: { t } }: PresenterContext, cancel: string): Html {
  const ends = (leave: Html, save: string) => {
    const saves = button({ label: save, tone: 'primary' }, { name: '_save', value: '1' })
    return html`<div class="ends">${leave}${saves}</div>`
  }
  if (error?.code === 'stale') {
    const mine = button({ label: t('conflict.keepMine') }, { name: '_pick', value: 'mine' })
    return html`${mine}${ends(buttonLink({ label: t('conflict.takeTheirs'), href: cancel }), t('conflict.save'))}`
  }
  const other =
    key === null
      ? button({ label: t('form.saveAnother') }, { name: '_then', value: 'another' })
      : button({ label: t('form.saveStay') }, { name: '_then', value: 'continue' })
  const quiet = buttonLink({ label: t('action.cancel'), href: cancel, tone: 'plain' })
  return html`${(key !== null || may.create) && other}${ends(quiet, key === null ? t('form.create') : t('form.save'))}`
}
