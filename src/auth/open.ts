import { localIdentity } from './identity.js'
import type { Auth, Services, Visitor } from './pipeline.js'
import { memoryPreferences } from './preferences.js'
import { memoryAttempts } from './throttle.js'

const nothing = async () => {}
const nobody = async () => null

// Nobody signs in, so nothing is stored.
const services: Omit<Services, 'preferences'> = {
  panel: 'open',
  users: {
    byUsername: nobody,
    byId: nobody,
    change: async () => false,
    changeTwoFactor: async () => false,
    of: () => null,
    keeps: { name: false, timeZone: false, twoFactor: false },
  },
  sessions: {
    create: nothing,
    find: nobody,
    seen: nothing,
    wrote: nothing,
    restamp: nothing,
    prove: nothing,
    viewAs: async () => false,
    remove: async () => false,
    of: async () => [],
    removeOf: async () => 0,
  },
  tokens: { add: nothing, rotate: async () => ({ is: 'unknown' }) },
  apiKeys: { create: async () => false, find: nobody, seen: nothing, of: async () => [], remove: async () => false },
  openIdLinks: { find: nobody, create: async () => false, of: async () => [], remove: nothing },
  openIds: [],
  passkeys: {
    create: async () => false,
    find: nobody,
    of: async () => [],
    used: async () => false,
    rename: nothing,
    remove: async () => false,
    removeOf: async () => 0,
  },
  relyingParty: null,
  attempts: memoryAttempts(),
  resets: { create: nothing, find: nobody, remove: async () => false },
  session: null,
  twoFactor: null,
  viewAs: null,
}

const local: Visitor = Object.freeze({
  identity: localIdentity,
  session: null,
  ambient: false,
  timeZone: null,
  until: Number.POSITIVE_INFINITY,
})

/**
 * `auth: 'open'`: everybody who reaches the panel is its one local administrator.
 *
 * @param opening opens the panel's own tables, where a resource may show one: else identifying a user does
 */
export function openAuth(opening: () => Promise<void> | null = () => null): Auth {
  return Object.freeze({
    services: { ...services, preferences: memoryPreferences() },
    challenge: 'Session',
    challenges: 'Session',
    authenticators: [{ name: 'open', cookies: false, identify: () => opening()?.then(() => local) ?? local }],
    signsIn: null,
    hasSignIn: false,
    refreshes: null,
    apiKeys: null,
  })
}
