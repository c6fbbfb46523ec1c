import type { CodesCounted } from '../../auth/second-factor.js'
import type { DaymarkError } from '../../base/errors.js'
import { block, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { SignedIn, TwoFactorShown } from '../../crud/outcomes/account.js'
import type { Flash, PresenterContext, Reply } from '../../face/face.js'
import { ownPath, url } from '../../route/url.js'
import { button, buttonLink, type Tone } from '../components/button.js'
import { columns, facts } from '../components/facts.js'
import { crumbs, heading } from '../components/heading.js'
import { logoOf } from '../components/icon.js'
import { notice } from '../components/notice.js'
import { qrCode } from '../components/qr-code.js'
import { assetUrl } from '../frame/assets.js'
import { confirmCard } from '../frame/confirm-card.js'
import { hiddenToken } from '../frame/form-token.js'
import { moment } from '../frame/moment.js'
import { page, redirect, signOutUrl } from '../frame/page.js'
import { currentPassword, hiddenInputs, panelInput } from '../frame/panel-input.js'

/** Sets up two-factor sign-in, shows the recovery codes once, and turns it off. */
export function twoFactorPage(shown: TwoFactorShown, at: PresenterContext): Reply {
  const { did, limited, error } = shown
  const { t } = at.realm
  const home = url(at.place, 'profile')
  if (did === 'off') return { ...redirect(home), flash: { message: 'twoFactor.turnedOff', fill: {} } }
  const inside = shown.codes.length > 0 ? newCodes(shown, at) : shown.setUp ? setUp(shown, shown.setUp, at) : manage(shown, at)
  const said = shown.codes.length > 0 ? null : headNotice(shown, at)
  const head = {
    title: t('twoFactor.title'),
    status: error?.status ?? 200,
    headers: error?.headers ?? {},
    styles: [assetUrl(at.place, 'account.css')],
  }
  const notices = said && html`<div class="notices">${said}</div>`
  if (limited)
    return page(
      at,
      head,
      block`
        <div class="set-up">
          <div class="who">${logoOf(at.brand)}<h1>${t('twoFactor.title')}</h1></div>
          ${notices}${inside}${signOut(at)}
        </div>
      `,
    )
  return page(
    at,
    head,
    block`
      <div class="record">
        ${crumbs([{ label: t('profile.title'), href: home }], t)}
        ${heading({ title: t('twoFactor.title') })}${notices}${columns(inside, null)}
      </div>
    `,
  )
}

/** What is wrong; or why the user is here. */
function headNotice({ error, limited, on }: TwoFactorShown, { realm: { t } }: PresenterContext): Html | null {
  if (error) return notice('bad', error.message)
  return limited ? notice('info', t(on ? 'twoFactor.signInAgain' : 'twoFactor.first')) : null
}

/** A QR code and its key in letters, and a form for the first code. */
function setUp(
  { asksPassword, confirmsAt, to, typed, error }: TwoFactorShown,
  { secret, uri, squares }: NonNullable<TwoFactorShown['setUp']>,
  at: PresenterContext,
): Html {
  const { t } = at.realm
  // First, since the page has another key afterwards.
  if (confirmsAt)
    return html`<p class="muted">${t('twoFactor.what')}</p>${confirmCard(t('twoFactor.setUp'), confirmsAt, ownUrl(to, at), at)}`
  const code = panelInput(
    {
      name: 'code',
      label: t('signIn.code'),
      hint: t('signIn.codeHint'),
      is: { inputmode: 'numeric', autocomplete: 'one-time-code', spellcheck: 'false', maxlength: 12, value: typed },
    },
    error,
    at,
  )
  const key = html`<code class="key" data-copy>${(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>`
  const hidden = [['secret', secret] as const, ...wayOn(to, at)]
  return block`
    <p class="muted">${t('twoFactor.what')}</p>
    <section class="card section scan" aria-labelledby="scan-title">
      <h2 id="scan-title">${t('twoFactor.scan')}</h2>
      <div class="sides">
        ${qrCode(squares, t('twoFactor.qr'))}
        <div>
          <p>${t('twoFactor.scanHint')}</p>
          <p>${t('twoFactor.byHand')}</p>
          ${key}
          <p><a href="${uri}">${t('twoFactor.sameDevice')}</a></p>
        </div>
      </div>
    </section>
    ${form(
      {
        id: 'turn-on',
        method: 'PUT',
        action: url(at.place, 'two-factor'),
        title: t('twoFactor.confirm'),
        hidden,
        tone: 'primary',
        submit: t('twoFactor.turnOn'),
      },
      html`${code}${asksPassword && currentPassword(error, at)}`,
      at,
    )}
  `
}

/** Recovery codes that were just made. The page cannot be opened again. */
function newCodes({ did, codes, to, username }: TwoFactorShown, at: PresenterContext): Html {
  const { t } = at.realm
  const next = ownPath(at.place, to) ?? url(at.place, 'profile')
  const said = did === 'on' ? t('twoFactor.turnedOn') : t('twoFactor.codesMade')
  // In the link itself: nothing on the server has the codes any more.
  const text = `${at.brand.name}, ${username}\n\n${codes.join('\n')}\n`
  const file = buttonLink({
    label: t('twoFactor.save'),
    icon: 'download',
    href: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`,
    download: t('twoFactor.file'),
  })
  const copies = button({ label: t('script.copy'), icon: 'copy' }, { type: 'button', 'data-copies': 'codes' })
  return block`
    <div class="notices">${notice('good', said, did === 'on' ? [{ text: t('twoFactor.elsewhere') }] : [])}</div>
    <section class="card section recovery" aria-labelledby="codes-title">
      <h2 id="codes-title">${t('twoFactor.codes')}</h2>
      <p>${t('twoFactor.codesWhat')}</p>
      <pre id="codes">${codes.join('\n')}</pre>
      <div class="actions">
        <span class="scripted">${copies}</span>
        ${file}${buttonLink({ label: t('twoFactor.kept'), href: next, tone: 'primary' })}
      </div>
    </section>
  `
}

/** What is on, and the two ways to change it, each confirmed by the password. */
function manage({ on, required, limited, asksPassword, confirmsAt, to, error }: TwoFactorShown, at: PresenterContext): Html {
  const { t } = at.realm
  if (limited) return html``
  if (!on) return html`<p class="muted">${t('profile.fixed')}</p>`
  const { wrongCodes } = on
  const since = moment(on.since, at)
  const state = block`
    <div class="card">
      ${facts([
        { label: t('twoFactor.title'), value: html`<span class="badge good">${t('twoFactor.since', { since })}</span>` },
        { label: t('twoFactor.codes'), value: html`${on.codesLeft}` },
        ...(wrongCodes ? [{ label: t('twoFactor.wrong'), value: html`${t('twoFactor.wrongTimes', countedFill(wrongCodes, at))}` }] : []),
      ])}
    </div>
  `
  if (confirmsAt) return html`${state}${confirmCard(t('twoFactor.manage'), confirmsAt, ownUrl(to, at), at)}`
  const codes = form(
    {
      id: 'new-codes',
      method: 'POST',
      action: url(at.place, 'two-factor.codes'),
      title: t('twoFactor.codesNew'),
      hint: t('twoFactor.codesNewHint'),
      submit: t('twoFactor.codesNew'),
    },
    asksPassword && currentPassword(at.route?.name === 'two-factor.codes' ? error : null, at, 'codes-password'),
    at,
  )
  const off = form(
    {
      id: 'turn-off',
      method: 'DELETE',
      action: url(at.place, 'two-factor'),
      title: t('twoFactor.offTitle'),
      hint: t('twoFactor.offHint'),
      tone: 'danger',
      submit: t('twoFactor.turnOff'),
    },
    asksPassword && currentPassword(at.route?.name === 'two-factor.codes' ? null : error, at, 'off-password'),
    at,
  )
  return html`${state}${codes}${!required && off}`
}

/** What a user should know who has just signed in: of two things the worse. */
export function signedInFlash({ codesLeft = null, wrongCodes = null }: SignedIn, at: PresenterContext): Flash | null {
  if (wrongCodes) return { message: 'twoFactor.wrongBefore', fill: countedFill(wrongCodes, at), tone: 'error' }
  return codesLeft === null ? null : { message: 'twoFactor.codeUsed', fill: { count: codesLeft }, tone: 'warning' }
}

const countedFill = ({ count, last }: CodesCounted, at: PresenterContext) => ({
  count: numberText(at.realm.locale, count),
  last: moment(new Date(last), at),
})

interface Form {
  readonly id: string
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly action: string
  readonly title: string
  readonly hint?: string
  readonly hidden?: readonly (readonly [name: string, value: string])[]
  readonly tone?: Tone
  readonly submit: string
}

function form({ id, method, action, title, hint, hidden = [], tone, submit }: Form, inside: Html | false, at: PresenterContext): Html {
  const all = [...(method === 'POST' ? [] : [['_method', method] as const]), ...hidden, ...hiddenToken(at)]
  return block`
    <form class="card section" method="post" action="${action}" aria-labelledby="${id}-title" data-once novalidate>
      ${hiddenInputs(all)}
      <h2 id="${id}-title">${title}</h2>
      ${hint && html`<p class="muted">${hint}</p>`}${inside}
      <div class="actions">${button({ label: submit, ...(tone && { tone }) })}</div>
    </form>
  `
}

/** The page itself, which leads on afterwards. */
function ownUrl(to: string, at: PresenterContext): string {
  return url(at.place, 'two-factor', { query: { to: ownPath(at.place, to) ?? undefined } })
}

/** Where to go afterwards. */
function wayOn(to: string, at: PresenterContext): readonly (readonly [name: string, value: string])[] {
  const path = ownPath(at.place, to)
  return path === null ? [] : [['_to', path]]
}

/** Whoever cannot set it up now has a way out. */
function signOut(at: PresenterContext): Html {
  const action = signOutUrl(at)
  if (action === null) return html``
  return block`
    <form class="out" method="post" action="${action}">
      ${hiddenInputs(hiddenToken(at))}
      <button class="quiet-button">${at.realm.t('profile.end')}</button>
    </form>
  `
}

/** Leads to the page that sets it up, and from there back. */
export function limitedPage(_: { readonly error: DaymarkError }, at: PresenterContext): Reply {
  const to = at.reads && at.path !== url(at.place, 'index') ? at.target : undefined
  return { ...redirect(url(at.place, 'two-factor', { query: { to } })), status: at.reads ? 302 : 303 }
}
