import type { KeptAccountEvent } from '../../auth/account-event.js'
import { passwordLength } from '../../auth/password.js'
import type { Session } from '../../auth/stores.js'
import { agentText } from '../../base/agent.js'
import type { DaymarkError } from '../../base/errors.js'
import { block, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { Profile } from '../../crud/outcomes/account.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { suggested } from '../../field/suggested.js'
import { timeZones } from '../../field/zone.js'
import { url } from '../../route/url.js'
import { reasonKeys, wayKeys } from '../../store/panel/account-events-resource.js'
import { button, buttonLink } from '../components/button.js'
import { columns, facts } from '../components/facts.js'
import { heading } from '../components/heading.js'
import { assetUrl } from '../frame/assets.js'
import { hiddenToken } from '../frame/form-token.js'
import { moment } from '../frame/moment.js'
import { page } from '../frame/page.js'
import { currentPassword, hiddenInputs, type PanelInput, panelInput, refusedNotice } from '../frame/panel-input.js'
import { roleLabel } from '../frame/role-label.js'

/** The user's profile: account, editable settings, and sessions. */
export function profilePage(profile: Profile, at: PresenterContext): Reply {
  const { identity, error } = profile
  const { t } = at.realm
  const who = facts([
    { label: t('profile.username'), value: html`${identity.username}` },
    { label: t('profile.roles'), value: html`${identity.roles.map((role) => roleLabel(role, at)).join(', ') || t('value.empty')}` },
  ])
  const known = html`<div class="card">${who}</div>`
  const fields = editable(profile, at)
  // Without anything to change, the account moves to the main column.
  const empty = fields.length === 0 && profile.sessions.length === 0
  const form = block`
    <form class="card section" method="post" action="${url(at.place, 'profile')}" novalidate>
      ${hidden(at, 'PUT')}${fields}
      <div class="actions">${button({ label: t('form.save'), tone: 'primary' })}</div>
    </form>
  `
  return page(
    at,
    {
      title: t('profile.title'),
      status: error?.status ?? 200,
      headers: error?.headers ?? {},
      styles: [assetUrl(at.place, 'account.css')],
    },
    block`
      <div class="record">
        ${heading({ title: identity.name })}
        ${error && html`<div class="notices">${refused(error, at)}</div>`}
        ${
          empty
            ? columns(known, null)
            : columns(
                block`
                  ${fields.length > 0 && form}
                  ${profile.twoFactor !== null && twoFactor(profile.twoFactor, at)}
                  ${profile.passkeys !== null && passkeys(profile.passkeys, at)}
                  ${profile.apiKeys !== null && apiKeys(profile.apiKeys, at)}
                  ${profile.sessions.length > 0 && sessions(profile, at)}
                  ${profile.signIns !== null && profile.signIns.length > 0 && signIns(profile.signIns, at)}
                `,
                known,
              )
        }
      </div>
    `,
  )
}

function refused(error: DaymarkError, at: PresenterContext): Html {
  const { t } = at.realm
  const fields = [
    ['name', t('profile.name')],
    ['timeZone', t('profile.timeZone')],
    ['currentPassword', t('profile.currentPassword')],
    ['newPassword', t('signIn.newPassword')],
  ] as const
  return refusedNotice(error, fields, at)
}

function editable({ editable: can, identity, timeZone, typed, error }: Profile, at: PresenterContext): Html[] {
  const { t } = at.realm
  const own = at.realm.timeZone
  const put = (input: PanelInput) => panelInput(input, error, at)
  return [
    ...(can.name
      ? [put({ name: 'name', label: t('profile.name'), is: { value: typed.name ?? identity.name, autocomplete: 'name' } })]
      : []),
    ...(can.timeZone
      ? [
          put({
            name: 'timeZone',
            label: t('profile.timeZone'),
            hint: t('profile.timeZoneHint', { zone: own }),
            is: { value: typed.timeZone ?? timeZone ?? '', autocomplete: 'off', list: 'timeZone-list' },
            more: suggested('timeZone-list', timeZones()),
          }),
        ]
      : []),
    ...(can.password
      ? [
          currentPassword(error, at),
          put({
            name: 'newPassword',
            label: t('signIn.newPassword'),
            hint: t('profile.passwordHint', { min: passwordLength.min }),
            is: { type: 'password', autocomplete: 'new-password' },
          }),
        ]
      : []),
  ]
}

function twoFactor(on: boolean, at: PresenterContext): Html {
  const { t } = at.realm
  const link = buttonLink({ label: t(on ? 'twoFactor.manage' : 'twoFactor.setUp'), href: url(at.place, 'two-factor') })
  return block`
    <section class="card section two-factor" aria-labelledby="two-factor-title">
      <h2 id="two-factor-title">
        ${t('twoFactor.title')} <span class="badge ${on ? 'good' : 'info'}">${t(on ? 'twoFactor.on' : 'twoFactor.off')}</span>
      </h2>
      <p class="muted">${t('twoFactor.what')}</p>
      <div class="actions">${link}</div>
    </section>
  `
}

function passkeys(count: number, at: PresenterContext): Html {
  const { t } = at.realm
  const link = buttonLink({ label: t(count > 0 ? 'passkey.manage' : 'passkey.new'), href: url(at.place, 'passkeys') })
  const badge = count > 0 && html` <span class="badge tag">${numberText(at.realm.locale, count)}</span>`
  return block`
    <section class="card section two-factor" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">${t('passkey.title')}${badge}</h2>
      <p class="muted">${t('passkey.what')}</p>
      <div class="actions">${link}</div>
    </section>
  `
}

function apiKeys(count: number, at: PresenterContext): Html {
  const { t } = at.realm
  const link = buttonLink({ label: t('apiKey.manage'), href: url(at.place, 'api-keys') })
  const badge = count > 0 && html` <span class="badge tag">${t('apiKey.count', { count: numberText(at.realm.locale, count) })}</span>`
  return block`
    <section class="card section two-factor" aria-labelledby="api-keys-title">
      <h2 id="api-keys-title">${t('apiKey.title')}${badge}</h2>
      <p class="muted">${t('apiKey.what')}</p>
      <div class="actions">${link}</div>
    </section>
  `
}

function sessions({ sessions: all, current }: Profile, at: PresenterContext): Html {
  const { t } = at.realm
  const everywhere = form(at, url(at.place, 'sessions.revoke'), button({ label: t('profile.endAll') }))
  return block`
    <section class="card section sessions" aria-labelledby="sessions-title">
      <h2 id="sessions-title">${t('profile.sessions')}</h2>
      <ul>${all.map((one) => session(one, one.id === current, at))}</ul>
      <div class="actions">${everywhere}</div>
    </section>
  `
}

function session({ id, agent, openId, passkey, createdAt, lastSeenAt }: Session, here: boolean, at: PresenterContext): Html {
  const { t } = at.realm
  const name = agent === '' ? t('profile.unknownAgent') : agentText(agent)
  const label = here ? t('profile.thisSession') : t('profile.session', { since: moment(createdAt, at), seen: moment(lastSeenAt, at) })
  const provider = at.realm.auth.services.openIds.find(({ id }) => id === openId?.provider)
  const way = passkey == null ? provider?.label : t('passkey.one')
  const end = button({ label: t('profile.end') }, { 'aria-label': t('profile.endOne', { agent: name }) })
  return block`
    <li>
      <div><span class="agent" title="${agent}">${name}</span><span class="muted">${label}${way && ` · ${way}`}</span></div>
      ${form(at, url(at.place, 'sessions.revoke', { id }), end)}
    </li>
  `
}

/** By these, users notice sign-ins that were not theirs. */
function signIns(all: readonly KeptAccountEvent[], at: PresenterContext): Html {
  const { t } = at.realm
  return block`
    <section class="card section sessions" aria-labelledby="sign-ins-title">
      <h2 id="sign-ins-title">${t('account.recent')}</h2>
      <p class="muted">${t('account.recentWhat')}</p>
      <ul>${all.map((one) => signInOf(one, at))}</ul>
    </section>
  `
}

function signInOf({ at: when, event, way, reason, address, agent, count }: KeptAccountEvent, at: PresenterContext): Html {
  const { t, locale } = at.realm
  const time = moment(when, at)
  const failed = html`<span class="badge bad">${t('account.signInFailed')}${count > 1 && ` (${numberText(locale, count)})`}</span> `
  const said = [time, t(reason === null ? wayKeys[way] : reasonKeys[reason]), address].filter((one) => one !== '').join(' · ')
  return block`
    <li>
      <div>
        <span class="agent">${event === 'signInFailed' && failed}${agent === '' ? t('profile.unknownAgent') : agent}</span>
        <span class="muted">${said}</span>
      </div>
    </li>
  `
}

function form(at: PresenterContext, action: string, submit: Html): Html {
  return html`<form method="post" action="${action}">${hidden(at, 'DELETE')}${submit}</form>`
}

function hidden(at: PresenterContext, method: string): Html {
  return hiddenInputs([['_method', method], ...hiddenToken(at)])
}
