import { passwordLength } from '../../auth/password.js'
import { block, type Html, html } from '../../base/html.js'
import type { CodeAsked, Forgot, ResetPassword, SignedOut, SignIn } from '../../crud/outcomes/account.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { ownPath, url } from '../../route/url.js'
import { button, buttonLink } from '../components/button.js'
import { liveRegion } from '../components/live-region.js'
import { assetUrl } from '../frame/assets.js'
import { hiddenToken } from '../frame/form-token.js'
import { hiddenInputs, panelInput } from '../frame/panel-input.js'
import { card, signInCard } from './sign-in-card.js'

export function signInPage({ username, remember, to, error }: SignIn, at: PresenterContext): Reply {
  const { t, auth } = at.realm
  const target = ownPath(at.place, to)
  const head = {
    title: t('signIn.title'),
    status: error?.status ?? 200,
    headers: error?.headers ?? {},
    error: error?.message ?? null,
    // Other flashes are meant for signed-in users.
    said: at.shell?.flash?.message === 'signIn.ended' ? t('signIn.ended') : null,
  }
  const ways = auth.services.openIds.length > 0 ? providers(target, at) : null
  const passkey = auth.services.relyingParty !== null
  if (ways && !auth.signsIn) return card(at, head, ways)
  const name = panelInput(
    {
      name: 'username',
      label: t('signIn.username'),
      is: {
        value: username,
        // Browsers then offer the passkeys among the names.
        autocomplete: passkey ? 'username webauthn' : 'username',
        autocapitalize: 'none',
        spellcheck: 'false',
        required: true,
        autofocus: username === '',
      },
    },
    null,
    at,
  )
  const password = panelInput(
    {
      name: 'password',
      label: t('signIn.password'),
      is: { type: 'password', autocomplete: 'current-password', required: true, autofocus: username !== '' },
    },
    null,
    at,
  )
  const body = block`
    ${name}${password}
    <label class="remember"><input type="checkbox" name="remember" value="1"${remember && html` checked`}> ${t('signIn.remember')}</label>
  `
  return signInCard(at, {
    ...head,
    action: url(at.place, 'authenticate'),
    hidden: target === null ? [] : [['_to', target]],
    body,
    submit: t('signIn.title'),
    more: html`${ways && html`<p class="or">${t('openId.or')}</p>`}${passkey && passkeyButton(ways === null, at)}${ways}`,
    ...(passkey && { after: passkeyForm(target, at), scripts: [assetUrl(at.place, 'passkeys.js')] }),
    ...(at.realm.mails && { below: { label: t('forgot.title'), href: url(at.place, 'password.forgot') } }),
  })
}

/** The button that the script shows where the browser knows passkeys. */
function passkeyButton(alone: boolean, { realm: { t } }: PresenterContext): Html {
  const press = button({ label: t('passkey.signIn'), icon: 'key' }, { type: 'button', 'data-passkey-press': '' })
  return html`<div class="ways" data-passkey-way hidden>${alone && html`<p class="or">${t('openId.or')}</p>`}${liveRegion()}${press}</div>`
}

/** What the script sends: a form of its own, since the other one asks for a password. */
function passkeyForm(target: string | null, at: PresenterContext): Html {
  const { t, auth } = at.realm
  const origin = auth.services.relyingParty?.origin ?? ''
  const hidden = [['credential', ''], ['remember', ''], ...(target === null ? [] : [['_to', target] as const]), ...hiddenToken(at)] as const
  return block`
    <form
      method="post"
      action="${url(at.place, 'passkey')}"
      hidden
      data-passkey="sign-in"
      data-origin="${origin}"
      data-options="${url(at.place, 'passkey.begin')}"
      data-cancelled="${t('passkey.cancelled')}"
      data-failed="${t('passkey.failed', { error: '{count}' })}"
    >
      ${hiddenInputs(hidden)}
    </form>
  `
}

/** A link to each OpenID provider. No form: what follows it is another host's, to which a form may not lead. */
function providers(target: string | null, at: PresenterContext): Html {
  const { t, auth } = at.realm
  const { openIds } = auth.services
  // Where nothing else leads in, the first one is what to press.
  const first = auth.signsIn ? null : openIds[0]
  return block`
    <div class="ways">
      ${openIds.map((one) =>
        buttonLink({
          label: t('openId.signIn', { label: one.label }),
          href: url(at.place, 'openid', { provider: one.id, query: { to: target ?? undefined } }),
          ...(one === first && { tone: 'primary' as const }),
        }),
      )}
    </div>
  `
}

/**
 * Leads on to a provider, to sign out there, too. A page does, since no redirect may follow our forms to another host (`form-action`), nor
 * from there to a third one.
 */
export function signedOutPage({ label, url: to }: NonNullable<SignedOut['onward']>, at: PresenterContext): Reply {
  const { t } = at.realm
  const head = { title: t('signIn.out'), status: 200, headers: { refresh: `0; url=${to}` }, error: null, said: t('openId.signedOut') }
  return card(at, head, buttonLink({ label: t('openId.signOut', { label }), href: to, tone: 'primary' }))
}

/** The second step: the code of an authenticator app, or in a part that opens a recovery code. Both stand in the same form. */
export function codePage({ username, ticket, to, error }: CodeAsked, at: PresenterContext): Reply {
  const { t } = at.realm
  const target = ownPath(at.place, to)
  const lost = error !== null && (error.errors.has('recoveryCode') || error.code === 'throttled')
  const code = panelInput(
    {
      name: 'code',
      label: t('signIn.code'),
      hint: t('signIn.codeHint'),
      is: { inputmode: 'numeric', autocomplete: 'one-time-code', spellcheck: 'false', maxlength: 12, autofocus: !lost },
    },
    error,
    at,
  )
  const recovery = panelInput(
    {
      name: 'recoveryCode',
      label: t('signIn.recoveryCode'),
      hint: t('signIn.recoveryCodeHint'),
      is: { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', autofocus: lost },
    },
    error,
    at,
  )
  const atField = error !== null && error.errors.size > 0
  return signInCard(at, {
    title: t('twoFactor.title'),
    heading: t('twoFactor.title'),
    status: error?.status ?? 200,
    headers: error?.headers ?? {},
    action: url(at.place, 'authenticate.code'),
    hidden: [['ticket', ticket], ...(target === null ? [] : [['_to', target] as const])],
    error: atField ? null : (error?.message ?? null),
    body: block`
      <p class="muted">${t('signIn.codeFor', { username })}</p>
      ${code}
      <details class="other-way"${lost && html` open`}><summary>${t('signIn.noPhone')}</summary>${recovery}</details>
    `,
    submit: t('signIn.verify'),
    below: { label: t('signIn.again'), href: url(at.place, 'login', { query: { to: target ?? undefined } }) },
  })
}

/** Asks who has forgotten their password, and says that a mail is on its way. */
export function forgotPage({ username, sent, error }: Forgot, at: PresenterContext): Reply {
  const { t, auth } = at.realm
  const atField = error !== null && error.errors.size > 0
  const head = {
    title: t('forgot.title'),
    heading: t('forgot.title'),
    status: error?.status ?? 200,
    headers: error?.headers ?? {},
    error: atField ? null : (error?.message ?? null),
    said: sent ? t('forgot.sent') : null,
  }
  const back = auth.challenge === 'Session' ? { label: t('forgot.back'), href: url(at.place, 'login') } : undefined
  if (sent) return card(at, head, html`${back && html`<a class="below" href="${back.href}">${back.label}</a>`}`)
  const name = panelInput(
    {
      name: 'username',
      label: t('signIn.username'),
      is: { value: username, autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false', required: true, autofocus: true },
    },
    error,
    at,
  )
  return signInCard(at, {
    ...head,
    action: url(at.place, 'password.send'),
    hidden: [],
    body: html`<p class="muted">${t('forgot.about')}</p>${name}`,
    submit: t('forgot.send'),
    ...(back && { below: back }),
  })
}

/** The page of a password-reset link. */
export function resetPage({ username, done, error }: ResetPassword, at: PresenterContext): Reply {
  const { t } = at.realm
  if (done) {
    const way =
      at.realm.auth.challenge === 'Session' ? buttonLink({ label: t('signIn.title'), href: url(at.place, 'login'), tone: 'primary' }) : null
    return card(at, { title: t('reset.title'), heading: t('reset.done'), status: 200, headers: {}, error: null }, html`${way}`)
  }
  const errors = error?.errors.get('password') ?? []
  return signInCard(at, {
    title: t('reset.title'),
    heading: t('reset.title'),
    status: error?.status ?? 200,
    headers: {},
    action: at.path,
    hidden: [],
    error: errors.length === 0 ? (error?.message ?? null) : null,
    body: block`
      <p class="muted">${t('reset.for', { username })}</p>
      <input type="text" name="_username" value="${username}" autocomplete="username" hidden>
      ${panelInput(
        {
          name: 'password',
          label: t('signIn.newPassword'),
          hint: t('reset.hint', { min: passwordLength.min }),
          is: { type: 'password', autocomplete: 'new-password', required: true, autofocus: true },
        },
        error,
        at,
      )}
    `,
    submit: t('reset.save'),
  })
}
