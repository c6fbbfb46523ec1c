export type {
  ApiKeys,
  CodeAsked,
  Forgot,
  Limited,
  Preferred,
  Profile,
  Refreshed,
  ResetPassword,
  SignedIn,
  SignedOut,
  SignIn,
  TwoFactorShown,
} from './crud/outcomes/account.js'
export type { Acted, Asked, JobShown, Progress } from './crud/outcomes/actions.js'
export type { Formed, Previewed, Uploaded, Valid } from './crud/outcomes/forms.js'
export type { Found, Palette } from './crud/outcomes/found.js'
export type { Imported, Importing } from './crud/outcomes/imports.js'
export type { Exported, Listed, Streamed } from './crud/outcomes/lists.js'
export type { Answered, Healthy, Invalid, Outcome, Refused, Stale, Unauthenticated } from './crud/outcomes/outcome.js'
export type { Composed, Home, Part } from './crud/outcomes/pages.js'
export type { Confirm, Deleted, FileSent, History, Saved, Shown } from './crud/outcomes/records.js'
export { contractSchema, contractTables, type StoreCase, storeContract } from './store/contract.js'
export { type Factory, factory } from './testing/factory.js'
export {
  type TestAnswer,
  type TestBody,
  type TestInit,
  type TestOptions,
  type TestPanel,
  type TestUser,
  testPanel,
} from './testing/panel.js'
