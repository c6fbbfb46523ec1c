import { type AuthSpec, makeAuth, openIdsOf, sessionOf, takesPasskeys } from '../auth/assemble.js'
import type { Services } from '../auth/pipeline.js'
import { relyingPartyOf } from '../auth/relying-party.js'
import type { AttemptStore } from '../auth/stores.js'
import { twoFactorOf } from '../auth/two-factor.js'
import { messagesOf } from '../base/language.js'
import { translator } from '../base/messages.js'
import { scopedStores } from '../crud/action/scoped-store.js'
import type { Realm } from '../crud/call/call.js'
import { type Mails, makeMails } from '../crud/realm/mails.js'
import { entryOf, type Log } from '../http/log.js'
import { permits } from '../resource/action/policy.js'
import type { Links } from '../resource/check/relations.js'
import { throughsOf } from '../resource/relation/through.js'
import type { Resource } from '../resource/resource.js'
import { type Place, url } from '../route/url.js'
import type { PanelStore } from '../store/panel/open.js'
import type { Common } from './common.js'
import { type PanelSpec, pagesOf } from './spec.js'

/** What the realm of a panel is made of, besides its settings. */
export interface Around {
  readonly common: Common
  /** What its relations lead to. */
  readonly links: Links
  /** How users sign in; null: in open mode. */
  readonly authSpec: AuthSpec | null
  readonly place: Place
  /** The locales of a panel of several languages; empty: it has one. */
  readonly languages: readonly string[]
  /** Whether it reads and sets cookies. */
  readonly cookies: boolean
  readonly log: Log
}

/**
 * What every verb of a panel knows: its declarations, words, stores and services.
 *
 * @param spec the settings, with the resources and pages of plugins
 */
export function makeRealm(spec: PanelSpec, { common, links, authSpec, place, languages, cookies, log }: Around): Realm {
  const { kept, lists, storeOf } = common
  const locale = spec.locale ?? 'en'
  const t = translator(messagesOf(locale, spec.messages))
  return Object.freeze<Realm>({
    resources: new Map(spec.resources.map((resource) => [resource.uriKey, resource])),
    pages: new Map(pagesOf(spec).map((page) => [page.uri, page])),
    home: spec.home ?? null,
    menu: spec.menu ?? null,
    moreMenu: (spec.plugins ?? []).flatMap((plugin) => plugin.menu ?? []),
    ...throughsOf(spec.resources, links, (relation, label) => t('filter.through', { relation, label })),
    can: spec.can ?? {},
    shareViews: spec.shareViews ?? null,
    t,
    locale,
    languages,
    languageChoices: cookies ? languages : [],
    timeZone: spec.timeZone ?? 'UTC',
    storeOf,
    store: common.store,
    replica: lists && {
      after: spec.replica?.after ?? 10,
      storeOf: (one: Resource) => (one.ownStore || one.database ? storeOf(one) : lists),
    },
    once: common.once,
    jobs: common.jobs,
    readiness: common.readiness,
    history: common.history,
    comments: common.comments,
    notifications: common.notifications,
    accountEvents: kept?.accountEvents ?? null,
    files: common.files,
    formats: new Map((spec.formats ?? []).map((one) => [one.name, one])),
    webhooks: common.webhooks,
    mails: mailsOf(spec, common, log),
    passwordUrl: (token: string) => {
      const path = url(place, 'password.reset', { token })
      return spec.url === undefined ? path : new URL(path, spec.url).href
    },
    jobUrl: (id: string) => url(place, 'job.show', { id }),
    commentUrl: (resourceUri, resourceItem, id) =>
      `${url(place, 'crud.comments', { resourceUri, resourceItem, query: { cursor: String(id + 1) } })}#comment-${id}`,
    auth: common.open ?? makeAuth(authSpec as AuthSpec, servicesOf(spec, authSpec as AuthSpec, kept as PanelStore, common.attempts)),
    scoped: scopedStores,
  })
}

/** The mails of the panel's language. */
function mailsOf({ mail, brand, title }: PanelSpec, common: Common, log: Log): Mails | null {
  if (!mail) return null
  const mails = makeMails(mail, brand?.name ?? title ?? 'Daymark', (thrown) =>
    log(entryOf({ requestId: '', method: 'MAIL', path: '' }, thrown)),
  )
  common.mails.add(mails)
  return mails
}

function servicesOf(
  { id = 'admin', title = 'Daymark', url, brand }: PanelSpec,
  authSpec: AuthSpec,
  kept: PanelStore,
  attempts: AttemptStore,
): Services {
  return Object.freeze({
    ...kept,
    panel: id,
    attempts,
    session: sessionOf(authSpec),
    openIds: openIdsOf(authSpec),
    relyingParty: url !== undefined && takesPasskeys(authSpec) ? relyingPartyOf(url, brand?.name ?? title, kept.attempts) : null,
    twoFactor: kept.users.keeps.twoFactor ? twoFactorOf(authSpec.auth.twoFactor, title, kept.attempts) : null,
    viewAs: viewAsOf(authSpec),
  })
}

/** Whoever has a role that may look as others sees most: nobody else looks as them. */
function viewAsOf({ auth: { viewAs } }: AuthSpec): Services['viewAs'] {
  if (viewAs === undefined) return null
  if (typeof viewAs === 'function') return (user, as) => permits(() => viewAs({ user, as }), user)
  return (user, as) => permits(viewAs, user) && !permits(viewAs, as)
}
