import { html } from '../base/html.js'
import type { ResetPassword, SignIn } from '../crud/outcome.js'
import type { Around, Reply } from '../face/face.js'
import { ownPath, url } from '../route/url.js'
import { button, buttonLink } from './components/button.js'
import { field } from './components/field.js'
import { logoOf } from './components/icon.js'
import { notice } from './components/notice.js'
import { hiddenToken } from './form-token.js'
import { page } from './page.js'

export function signInPage({ username, remember, to, error }: SignIn, at: Around): Reply {
  const { t } = at.realm
  const target = ownPath(at.place, to)
  const body = html`${field({ id: 'username', label: t('signIn.username'), required: false, hint: null, errors: [], control: html`<input type="text" id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${username === '' && html` autofocus`}>` }, t)}${field(
    {
      id: 'password',
      label: t('signIn.password'),
      required: false,
      hint: null,
      errors: [],
      control: html`<input type="password" id="password" name="password" autocomplete="current-password" required${username !== '' && html` autofocus`}>`,
    },
    t,
  )}<label class="remember"><input type="checkbox" name="remember" value="1"${remember && html` checked`}> ${t('signIn.remember')}</label>`
  return card(at, {
    title: t('signIn.title'),
    status: error?.status ?? 200,
    headers: error?.headers ?? {},
    action: url(at.place, 'authenticate'),
    hidden: target === null ? [] : [['_to', target]],
    error: error?.message ?? null,
    // Other flashes are meant for signed-in users.
    said: at.shell?.flash?.message === 'signIn.ended' ? t('signIn.ended') : null,
    body,
    submit: t('signIn.title'),
  })
}

/** The page of a password-reset link. */
export function resetPage({ username, done, error }: ResetPassword, at: Around): Reply {
  const { t } = at.realm
  if (done) {
    const way =
      at.realm.auth.challenge === 'Session' ? buttonLink({ label: t('signIn.title'), href: url(at.place, 'login'), tone: 'primary' }) : null
    return page(
      at,
      { title: t('reset.title') },
      html`<div class="sign-in card"><div class="who">${logoOf(at.brand)}<h1>${t('reset.done')}</h1></div>${way}</div>`,
    )
  }
  const errors = error?.errors.get('password') ?? []
  return card(at, {
    title: t('reset.title'),
    status: error?.status ?? 200,
    headers: {},
    action: at.path,
    hidden: [],
    error: errors.length === 0 ? (error?.message ?? null) : null,
    body: html`<p class="muted">${t('reset.for', { username })}</p><input type="text" name="_username" value="${username}" autocomplete="username" hidden>${field(
      {
        id: 'password',
        label: t('signIn.newPassword'),
        required: false,
        hint: null,
        errors,
        control: html`<input type="password" id="password" name="password" autocomplete="new-password" required autofocus${errors.length > 0 && html` aria-invalid="true" aria-describedby="password-error"`}>`,
      },
      t,
    )}`,
    submit: t('reset.save'),
  })
}

interface Card {
  readonly title: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly action: string
  readonly hidden: readonly (readonly [name: string, value: string])[]
  readonly error: string | null
  readonly said?: string | null
  readonly body: ReturnType<typeof html>
  readonly submit: string
}

/** A small form on a page of its own, with errors above its fields. */
function card(at: Around, { title, status, headers, action, hidden, error, said = null, body, submit }: Card): Reply {
  const inputs = [...hidden, ...hiddenToken(at)].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return page(
    { ...at, identity: null },
    { title, status, headers },
    html`<form class="sign-in card" method="post" action="${action}">${inputs}<div class="who">${logoOf(at.brand)}<h1>${at.brand.name}</h1></div>${error !== null ? notice('bad', error) : said !== null && notice('info', said)}${body}${button({ label: submit, tone: 'primary' })}</form>`,
  )
}
