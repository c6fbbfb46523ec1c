import { longestKeyName } from '../../auth/api-key.js'
import type { Passkey } from '../../auth/stores.js'
import { agentText } from '../../base/agent.js'
import { attributes, block, type Html, html } from '../../base/html.js'
import type { Passkeys } from '../../crud/outcomes/account.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { url } from '../../route/url.js'
import { button } from '../components/button.js'
import { confirm } from '../components/confirm.js'
import { columns } from '../components/facts.js'
import { crumbs, heading } from '../components/heading.js'
import { liveRegion } from '../components/live-region.js'
import { notice } from '../components/notice.js'
import { assetUrl } from '../frame/assets.js'
import { hiddenToken } from '../frame/form-token.js'
import { moment } from '../frame/moment.js'
import { page, redirect } from '../frame/page.js'
import { currentPassword, hiddenInputs, panelInput } from '../frame/panel-input.js'

/** The user's passkeys: adds one by the page's script, renames and removes them. */
export function passkeysPage(shown: Passkeys, at: PresenterContext): Reply {
  const { did, error, passkeys, most } = shown
  const { t } = at.realm
  const own = url(at.place, 'passkeys')
  if (did?.is === 'asks') return question(did.passkey, at)
  if (did) return { ...redirect(own), flash: { message: `passkey.${did.is}`, fill: { name: did.passkey.name } } }
  const notices = error && html`<div class="notices">${notice('bad', error.message)}</div>`
  const trail = crumbs([{ label: t('profile.title'), href: url(at.place, 'profile') }], t)
  const main = html`${list(shown, at)}${passkeys.length < most && form(shown, at)}`
  return page(
    at,
    {
      title: t('passkey.title'),
      status: error?.status ?? 200,
      headers: error?.headers ?? {},
      styles: [assetUrl(at.place, 'account.css')],
      scripts: [assetUrl(at.place, 'passkeys.js'), assetUrl(at.place, 'forms.js')],
    },
    html`<div class="record">${trail}${heading({ title: t('passkey.title') })}${notices}${columns(main, null)}</div>`,
  )
}

function list(shown: Passkeys, at: PresenterContext): Html {
  const { t } = at.realm
  const { passkeys } = shown
  const inside =
    passkeys.length === 0
      ? html`<p class="muted">${t('passkey.empty')}</p>`
      : html`<ul>${passkeys.map((one) => entry(one, shown, at))}</ul>`
  return block`
    <section class="card section sessions api-keys passkeys" aria-label="${t('passkey.title')}">
      <p class="muted">${t('passkey.what')}</p>
      ${inside}
    </section>
  `
}

function entry({ id, name, synced, createdAt, lastSeenAt }: Passkey, { typed }: Passkeys, at: PresenterContext): Html {
  const { t } = at.realm
  const times = [
    t('passkey.since', { created: moment(createdAt, at) }),
    lastSeenAt ? t('passkey.seen', { seen: moment(lastSeenAt, at) }) : t('passkey.unseen'),
  ]
  const action = url(at.place, 'passkeys.form', { id })
  const remove = button(
    { label: t('passkey.remove'), tone: 'danger' },
    { name: '_method', value: 'DELETE', 'aria-label': t('passkey.removeOne', { name }) },
  )
  // Whoever was refused another name goes on with what they typed.
  const refused = at.path === action ? typed : null
  const other = attributes({
    type: 'text',
    name: 'name',
    value: refused ?? name,
    autocomplete: 'off',
    'aria-label': t('passkey.name'),
    'aria-invalid': refused === null ? undefined : 'true',
    'data-characters': longestKeyName,
  })
  const rename = block`
    <details class="rename"${refused !== null && html` open`}>
      <summary aria-label="${t('passkey.renameOne', { name })}">${t('passkey.rename')}</summary>
      <form method="post" action="${action}">
        ${hiddenInputs([['_method', 'PATCH'], ...hiddenToken(at)])}<div class="control"><input${other}></div>
        ${button({ label: t('form.save') })}
      </form>
    </details>
  `
  return block`
    <li>
      <div>
        <span class="agent"><bdi>${name}</bdi>${synced && html` <span class="badge tag">${t('passkey.synced')}</span>`}</span>
        <span class="muted">${times.join(', ')}</span>${rename}
      </div>
      <form method="post" action="${action}">${hiddenInputs(hiddenToken(at))}${remove}</form>
    </li>
  `
}

/** The form of a new one, which the script shows where the browser can make one. Without it, the page says what it takes. */
function form({ origin, agent, asksPassword, ...shown }: Passkeys, at: PresenterContext): Html {
  const { t } = at.realm
  // A name that was refused to another one is none of this one.
  const { typed, error } = at.route?.name === 'passkeys.rename' ? { typed: null, error: null } : shown
  const name = panelInput(
    {
      name: 'name',
      label: t('passkey.name'),
      hint: t('passkey.nameHint'),
      is: { value: typed ?? agentText(agent).slice(0, longestKeyName), autocomplete: 'off', 'data-characters': longestKeyName },
    },
    error,
    at,
  )
  const texts = attributes({
    'data-origin': origin,
    'data-options': url(at.place, 'passkeys.begin'),
    'data-cancelled': t('passkey.notAdded'),
    'data-there': t('passkey.there'),
    'data-failed': t('passkey.failed', { error: '{count}' }),
  })
  const title = html`<h2 id="new-title">${t('passkey.new')}</h2>`
  const inside = block`
    ${hiddenInputs([['credential', ''], ...hiddenToken(at)])}${title}${liveRegion()}${name}
    ${asksPassword && currentPassword(error, at)}
    <div class="actions">${button({ label: t('passkey.add'), tone: 'primary' })}</div>
  `
  return block`
    <section class="card section" data-passkey-where>
      <h2>${t('passkey.new')}</h2>
      <p class="muted">${t('passkey.where', { origin })}</p>
    </section>
    <form
      class="card section"
      method="post"
      action="${url(at.place, 'passkeys.add')}"
      aria-labelledby="new-title"
      hidden
      novalidate
      data-passkey="make"
      ${texts}
    >
      ${inside}
    </form>
  `
}

/** Asks before one is removed; the form repeats the request. */
function question({ id, name }: Passkey, at: PresenterContext): Reply {
  const { t } = at.realm
  const own = url(at.place, 'passkeys')
  const title = t('passkey.ask', { name })
  const hidden = [['_method', 'DELETE'] as const, ['_confirmed', '1'] as const, ...hiddenToken(at)]
  return page(
    at,
    { title },
    confirm(
      {
        action: url(at.place, 'passkeys.remove', { id }),
        title,
        labels: [name],
        more: null,
        hidden,
        cancel: own,
        after: own,
        what: t('passkey.askWhat'),
        does: t('passkey.remove'),
        said: null,
        undo: null,
      },
      t,
    ),
  )
}
