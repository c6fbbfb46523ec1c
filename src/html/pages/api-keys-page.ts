import { longestDays, longestKeyName } from '../../auth/api-key.js'
import type { ApiKey } from '../../auth/stores.js'
import type { DaymarkError } from '../../base/errors.js'
import { block, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { ApiKeys } from '../../crud/outcomes/account.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { url } from '../../route/url.js'
import { button } from '../components/button.js'
import { confirm } from '../components/confirm.js'
import { columns } from '../components/facts.js'
import { field } from '../components/field.js'
import { crumbs, heading } from '../components/heading.js'
import { notice } from '../components/notice.js'
import { assetUrl } from '../frame/assets.js'
import { confirmCard } from '../frame/confirm-card.js'
import { hiddenToken } from '../frame/form-token.js'
import { moment } from '../frame/moment.js'
import { page, redirect } from '../frame/page.js'
import { currentPassword, hiddenInputs, panelInput, refusedNotice } from '../frame/panel-input.js'
import { roleLabel } from '../frame/role-label.js'

/** The user's API keys: makes one, shows it once, and deletes them. */
export function apiKeysPage(shown: ApiKeys, at: PresenterContext): Reply {
  const { did, error } = shown
  const { t } = at.realm
  const own = url(at.place, 'api-keys')
  if (did?.is === 'deleted') return { ...redirect(own), flash: { message: 'apiKey.deleted', fill: { name: did.key.name } } }
  if (did?.is === 'asks') return question(did.key, at)
  const notices = error && html`<div class="notices">${refused(error, at)}</div>`
  const trail = crumbs([{ label: t('profile.title'), href: url(at.place, 'profile') }], t)
  const main = block`
    ${did?.is === 'made' && madeCard(did.key, did.text, at)}${list(shown, at)}
    ${shown.confirmsAt ? confirmCard(t('apiKey.new'), shown.confirmsAt, own, at) : form(shown, at)}
  `
  return page(
    at,
    {
      title: t('apiKey.title'),
      status: error?.status ?? (did ? 201 : 200),
      headers: error?.headers ?? {},
      styles: [assetUrl(at.place, 'account.css')],
      scripts: [assetUrl(at.place, 'forms.js')],
    },
    html`<div class="record">${trail}${heading({ title: t('apiKey.title') })}${notices}${columns(main, null)}</div>`,
  )
}

/** A key that was just made. The page cannot be opened again. */
function madeCard({ name }: ApiKey, text: string, { realm: { t } }: PresenterContext): Html {
  const copies = block`
    <span class="scripted">
      ${button({ label: t('script.copy'), icon: 'copy', tone: 'primary' }, { type: 'button', 'data-copies': 'new-key' })}
    </span>
  `
  return block`
    <div class="notices">${notice('good', t('apiKey.made', { name }))}</div>
    <section class="card section" aria-labelledby="key-title">
      <h2 id="key-title">${t('apiKey.key')}</h2>
      <div class="key" id="new-key">${text}</div>
      <p class="muted">${t('apiKey.how')} <code>Authorization: Bearer daymark_…</code></p>
      <div class="actions">${copies}</div>
    </section>
  `
}

function list({ keys }: ApiKeys, at: PresenterContext): Html {
  const { t } = at.realm
  const inside = keys.length === 0 ? html`<p class="muted">${t('apiKey.empty')}</p>` : html`<ul>${keys.map((key) => entry(key, at))}</ul>`
  return block`
    <section class="card section sessions api-keys" aria-label="${t('apiKey.title')}">
      <p class="muted">${t('apiKey.what')}</p>
      ${inside}
    </section>
  `
}

function entry(key: ApiKeys['keys'][number], at: PresenterContext): Html {
  const { t } = at.realm
  const { id, name, start, roles, readOnly, valid, createdAt, expiresAt, lastSeenAt } = key
  const isOver = !valid
  const badges = [
    isOver && html` <span class="badge bad">${t('apiKey.over')}</span>`,
    readOnly && html` <span class="badge tag">${t('apiKey.onlyReads')}</span>`,
    roles?.map((role) => html` <span class="badge tag">${roleLabel(role, at)}</span>`),
  ]
  const times = [
    t('apiKey.since', { created: moment(createdAt, at) }),
    lastSeenAt ? t('apiKey.seen', { seen: moment(lastSeenAt, at) }) : t('apiKey.unseen'),
    ...(expiresAt && !isOver ? [t('apiKey.until', { until: moment(expiresAt, at) })] : []),
  ]
  const remove = button(
    { label: t('action.delete'), tone: 'danger' },
    { name: '_method', value: 'DELETE', 'aria-label': t('apiKey.delete', { name }) },
  )
  return block`
    <li>
      <div>
        <span class="agent"><bdi>${name}</bdi> <code class="muted">${start}…</code>${badges}</span>
        <span class="muted">${times.join(', ')}</span>
      </div>
      <form method="post" action="${url(at.place, 'api-keys.delete', { id })}">${hiddenInputs(hiddenToken(at))}${remove}</form>
    </li>
  `
}

function refused(error: DaymarkError, at: PresenterContext): Html {
  const { t } = at.realm
  const fields = [
    ['name', t('apiKey.name')],
    ['days', t('apiKey.expires')],
    ['roles', t('apiKey.roles')],
    ['currentPassword', t('profile.currentPassword')],
  ] as const
  return refusedNotice(error, fields, at)
}

/** What a new key is to be. */
function form({ typed, roles, mostDays, usualDays, asksPassword, error }: ApiKeys, at: PresenterContext): Html {
  const { t, locale } = at.realm
  const name = panelInput(
    {
      name: 'name',
      label: t('apiKey.name'),
      hint: t('apiKey.nameHint'),
      is: { value: typed?.name ?? '', autocomplete: 'off', 'data-characters': longestKeyName },
    },
    error,
    at,
  )
  const typedDays = /^[1-9]\d{0,3}$/.test(typed?.days ?? '') ? Number(typed?.days) : null
  const choices = [...new Set([...[30, 90, 365].filter((days) => days <= (mostDays ?? longestDays)), usualDays, mostDays, typedDays])]
    .filter((days) => days !== null)
    .sort((a, b) => a - b)
    .map((days) => [String(days), t('apiKey.days', { days: numberText(locale, days) })] as const)
  const all = mostDays === null ? [...choices, ['', t('apiKey.forever')] as const] : choices
  const chosen = typed?.days ?? String(usualDays)
  const days = field(
    {
      id: 'days',
      label: t('apiKey.expires'),
      required: false,
      hint: null,
      errors: error?.errors.get('days') ?? [],
      control: block`
        <select id="days" name="days">
          ${all.map(([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`)}
        </select>
      `,
    },
    t,
  )
  const readOnly = block`
    <div class="field">
      <div class="control choices">
        <label><input type="checkbox" name="readOnly" value="1"${typed?.readOnly && html` checked`}> ${t('apiKey.readOnly')}</label>
      </div>
    </div>
  `
  return block`
    <form class="card section" method="post" action="${url(at.place, 'api-keys')}" aria-labelledby="new-title" data-once novalidate>
      ${hiddenInputs(hiddenToken(at))}
      <h2 id="new-title">${t('apiKey.new')}</h2>
      ${name}${days}${readOnly}
      ${roles.length > 1 && rolesField(roles, typed?.roles ?? roles, error?.errors.get('roles') ?? [], at)}
      ${asksPassword && currentPassword(error, at)}
      <div class="actions">${button({ label: t('apiKey.create'), tone: 'primary' })}</div>
    </form>
  `
}

function rolesField(roles: readonly string[], chosen: readonly string[], errors: readonly string[], at: PresenterContext): Html {
  const { t } = at.realm
  // The empty text says that the boxes were there, even if none is checked.
  const boxes = roles.map(
    (role) =>
      block`
        <label><input type="checkbox" name="roles" value="${role}"${chosen.includes(role) && html` checked`}> ${roleLabel(role, at)}</label>
      `,
  )
  const control = html`<input type="hidden" name="roles" value=""><div class="choices">${boxes}</div>`
  return field({ id: 'roles', label: t('apiKey.roles'), required: false, hint: t('apiKey.rolesHint'), errors, control, group: true }, t)
}

/** Asks before a key is deleted; the form repeats the request. */
function question({ id, name }: ApiKey, at: PresenterContext): Reply {
  const { t } = at.realm
  const own = url(at.place, 'api-keys')
  const title = t('apiKey.ask', { name })
  const hidden = [['_method', 'DELETE'] as const, ['_confirmed', '1'] as const, ...hiddenToken(at)]
  const action = url(at.place, 'api-keys.delete', { id })
  return page(
    at,
    { title },
    confirm(
      { action, title, labels: [name], more: null, hidden, cancel: own, after: own, what: t('apiKey.askWhat'), said: null, undo: null },
      t,
    ),
  )
}
