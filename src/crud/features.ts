import type { Resource } from '../resource/resource.js'
import type { Realm } from './call/call.js'
import { fileFields } from './commit/record-files.js'

/** What a panel may have or not, by name, and whether one has it. */
export const panelFeatures = {
  signIn: ({ auth }) => auth.hasSignIn,
  signInPage: ({ auth }) => auth.hasSignIn && auth.challenge === 'Session',
  passwords: ({ auth }) => auth.signsIn !== null,
  passwordLinks: ({ auth, mails }) => auth.signsIn !== null && mails !== null,
  openId: ({ auth }) => auth.services.openIds.length > 0,
  passkeys: ({ auth }) => auth.services.relyingParty !== null,
  twoFactor: ({ auth }) => auth.hasSignIn && auth.services.twoFactor !== null,
  tokens: ({ auth }) => auth.refreshes !== null,
  apiKeys: ({ auth }) => auth.apiKeys !== null,
  viewAs: ({ auth }) => auth.services.viewAs !== null,
  notifications: ({ notifications }) => notifications !== null,
  jobs: ({ resources }) =>
    [...resources.values()].some(({ handlers }) => [...handlers.values()].some(({ long, changes }) => long || changes)),
} as const satisfies Readonly<Record<string, (realm: Realm) => boolean>>

/** What a resource may have or not, by name, and whether one has it. */
export const resourceFeatures = {
  history: ({ history }) => history !== false,
  comments: ({ comments }) => comments,
  newComments: ({ comments, trashOf }) => comments && trashOf === null,
  files: (resource) => fileFields(resource).length > 0,
  import: (resource) => resource.import !== false,
  order: ({ reorderable }) => reorderable !== null,
} as const satisfies Readonly<Record<string, (resource: Resource) => boolean>>
