import type { Account } from '../../auth/account.js'
import { hearFaults, tellFault } from '../../resource/action/policy.js'
import { may, mayRow, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { findByKey, keyOf } from '../input/key.js'
import type { CommentChanged } from '../outcomes/comments.js'
import { labelOf } from '../relation/label.js'

// Each is looked up, and asked for.
const mostNamed = 10
const mostWriters = 20

type Why = 'comment.mentioned' | 'comment.told'

/**
 * Tells of a new comment whoever is named in it, by `@` and a username, and whoever has written on the record before: of those, who may read
 * it. The comment is there already, so a failure is only logged.
 */
export async function tellOthers(call: Call, written: CommentChanged): Promise<void> {
  const { realm, identity } = call
  const { notifications, t } = realm
  if (!notifications) return
  try {
    const told = new Map<string, readonly string[]>()
    for (const [account, why] of await concerned(call, written)) {
      const label = await labelFor(call, account)
      if (label === null) continue
      const text = t(why, { name: identity.name, label })
      told.set(text, [...(told.get(text) ?? []), account.identity.id])
    }
    if (told.size === 0) return
    await notifications.open()
    const link = realm.commentUrl(call.resource.uriKey, written.key, written.comment.id)
    await notifications.store.transaction(async (tx) => {
      for (const [text, to] of told) await notifications.add(tx, { to, text, tone: 'info', link })
    })
  } catch (thrown) {
    tellFault(identity, thrown)
  }
}

/** Whom a comment concerns, but for its author, and why. */
async function concerned(call: Call, { key, comment }: CommentChanged): Promise<ReadonlyMap<Account, Why>> {
  const { realm, identity, resource, store } = call
  const { users } = realm.auth.services
  const writers = await realm.comments?.writers(store, { of: resource.model, key }, mostWriters)
  const found = new Map<string, readonly [Account, Why]>()
  const add = (account: Account | null, why: Why) => {
    if (account && account.identity.id !== identity.id && !found.has(account.identity.id)) found.set(account.identity.id, [account, why])
  }
  for (const name of namedIn(comment.text)) add(await users.byUsername(name), 'comment.mentioned')
  for (const { id, username } of writers ?? []) {
    const account = await users.byId(id)
    // An id may be given again, or be that of somebody who signs in another way.
    if (account?.identity.username === username) add(account, 'comment.told')
  }
  return new Map(found.values())
}

/** The usernames in a text: what follows an `@` at the beginning of a word, without the punctuation around it. */
export function namedIn(text: string): readonly string[] {
  const names = [...text.matchAll(/(?<![^\s([{])@(\S{1,200})/g)].map(([, name]) => (name as string).replace(/[.,;:!?)\]}'"]+$/, ''))
  return [...new Set(names)].filter(Boolean).slice(0, mostNamed)
}

/** What the record is called for another user; null: they may not view it. */
async function labelFor(call: Call, account: Account): Promise<string | null> {
  const { realm, resource, store } = call
  // What a policy throws about them is reported as what it throws about the caller.
  const identity = hearFaults(account.identity, (thrown) => tellFault(call.identity, thrown))
  if (!account.active || !may(realm, identity, resource, 'view')) return null
  const lens = lensOf(identity, resource, { name: 'detail', whole: true })
  const row = await findByKey(store, resource.model, keyOf(call), lens, scopeOf(identity, resource))
  return row && mayRow(identity, resource, 'view', lens.columns, row) ? labelOf(lens, row) : null
}
