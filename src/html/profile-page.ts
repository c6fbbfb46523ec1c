import type { Session } from '../auth/identity.js'
import { passwordLength } from '../auth/password.js'
import { type Html, html } from '../base/html.js'
import type { Profile } from '../crud/outcome.js'
import type { Around, Reply } from '../face/face.js'
import { suggested } from '../field/suggested.js'
import { timeZones } from '../field/zone.js'
import { url } from '../route/url.js'
import { agentText } from './agent.js'
import { button } from './components/button.js'
import { columns, facts } from './components/facts.js'
import { field } from './components/field.js'
import { heading } from './components/heading.js'
import { notice } from './components/notice.js'
import { hiddenToken } from './form-token.js'
import { page } from './page.js'

/** The user's profile: account, editable settings, and sessions. */
export function profilePage(profile: Profile, at: Around): Reply {
  const { identity, error } = profile
  const { t } = at.realm
  const who = facts([
    { label: t('profile.username'), value: html`${identity.username}` },
    { label: t('profile.roles'), value: html`${identity.roles.join(', ') || t('value.empty')}` },
  ])
  const known = html`<div class="card">${who}</div>`
  const fields = editable(profile, at)
  // Without anything to change, the account moves to the main column.
  const empty = fields.length === 0 && profile.sessions.length === 0
  const form = html`<form class="card section" method="post" action="${url(at.place, 'profile')}" novalidate>${hidden(at, 'PUT')}${fields}<div class="actions">${button({ label: t('form.save'), tone: 'primary' })}</div></form>`
  return page(
    at,
    { title: t('profile.title'), status: error?.status ?? 200, headers: error?.headers ?? {} },
    html`<div class="record">${heading({ title: identity.name })}${error && html`<div class="notices">${notice('bad', error.message)}</div>`}${empty ? columns(known, null) : columns(html`${fields.length > 0 && form}${profile.sessions.length > 0 && sessions(profile, at)}`, known)}</div>`,
  )
}

function editable({ editable: can, identity, timeZone, typed, error }: Profile, at: Around): Html[] {
  const { t } = at.realm
  const own = at.realm.timeZone
  const text = (
    name: string,
    label: string,
    value: string,
    {
      hint = null,
      type = 'text',
      autocomplete = 'off',
      list,
    }: { hint?: string | null; type?: string; autocomplete?: string; list?: readonly string[] } = {},
  ) => {
    const errors = error?.errors.get(name) ?? []
    const described = [errors.length > 0 && `${name}-error`, hint !== null && `${name}-hint`].filter(Boolean).join(' ')
    const control = html`<input type="${type}" id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}"${described !== '' && html` aria-describedby="${described}"`}${errors.length > 0 && html` aria-invalid="true"`}${list && html` list="${name}-list"`}>${list && suggested(`${name}-list`, list)}`
    return field({ id: name, label, required: false, hint, errors, control }, t)
  }
  return [
    ...(can.name ? [text('name', t('profile.name'), typed.name ?? identity.name, { autocomplete: 'name' })] : []),
    ...(can.timeZone
      ? [
          text('timeZone', t('profile.timeZone'), typed.timeZone ?? timeZone ?? '', {
            hint: t('profile.timeZoneHint', { zone: own }),
            list: timeZones(),
          }),
        ]
      : []),
    ...(can.password
      ? [
          text('currentPassword', t('profile.currentPassword'), '', { type: 'password', autocomplete: 'current-password' }),
          text('newPassword', t('signIn.newPassword'), '', {
            hint: t('profile.passwordHint', { min: passwordLength.min }),
            type: 'password',
            autocomplete: 'new-password',
          }),
        ]
      : []),
  ]
}

function sessions({ sessions: all, current }: Profile, at: Around): Html {
  const { t } = at.realm
  const everywhere = form(at, url(at.place, 'sessions.revoke'), button({ label: t('profile.endAll') }))
  return html`<section class="card section sessions" aria-labelledby="sessions-title"><h2 id="sessions-title">${t('profile.sessions')}</h2><ul>${all.map((one) => session(one, one.id === current, at))}</ul><div class="actions">${everywhere}</div></section>`
}

function session({ id, agent, createdAt, lastSeenAt }: Session, here: boolean, at: Around): Html {
  const { t, locale, timeZone } = at.realm
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const name = agent === '' ? t('profile.unknownAgent') : agentText(agent)
  const label = here ? t('profile.thisSession') : t('profile.session', { since: time.format(createdAt), seen: time.format(lastSeenAt) })
  const end = button({ label: t('profile.end') }, { 'aria-label': t('profile.endOne', { agent: name }) })
  return html`<li><div><span class="agent" title="${agent}">${name}</span><span class="muted">${label}</span></div>${form(at, url(at.place, 'sessions.revoke', { id }), end)}</li>`
}

function form(at: Around, action: string, submit: Html): Html {
  return html`<form method="post" action="${action}">${hidden(at, 'DELETE')}${submit}</form>`
}

function hidden(at: Around, method: string): Html[] {
  return [['_method', method] as const, ...hiddenToken(at)].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
}
