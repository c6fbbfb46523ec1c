import { createHash } from 'node:crypto'
import type { OpenIdLinkStore } from '../../auth/stores.js'
import { both } from '../../resource/condition/condition.js'
import type { Store } from '../store.js'
import type { KeepsEvents } from './account-events.js'
import { lock } from './locks.js'
import { eq, panelTable } from './table.js'
import { openIdLinks } from './tables.js'
import type { UserIds } from './user-ids.js'

const table = panelTable(openIdLinks)

// A user has one for each provider.
const most = 100

/** Whom people at OpenID providers are, in the panel's own tables: panels with the same users share it. */
export function openIdLinkStore(open: () => Promise<Store>, ids: UserIds, events: KeepsEvents): OpenIdLinkStore {
  const keyOf = (issuer: string, subject: string) =>
    createHash('sha256')
      .update(JSON.stringify([ids.stored(''), issuer, subject]))
      .digest('base64url')
  return {
    find: async (issuer, subject) => ids.ours(await table.find(await open(), keyOf(issuer, subject))),
    async create(link, event) {
      const userId = ids.stored(link.userId)
      const id = keyOf(link.issuer, link.subject)
      return (await open()).transaction(async (tx) => {
        await lock(tx, [`open id ${userId} ${link.issuer}`, `open id ${id}`])
        const [taken] = await table.first(tx, 1, both(eq('userId', userId), eq('issuer', link.issuer)))
        if (taken?.username === link.username || (await table.find(tx, id))) return false
        // It is of whoever had the id or was called otherwise before, and void.
        if (taken) await table.delete(tx, [taken.id])
        await table.create(tx, { ...link, id, userId })
        await events.add(tx, event)
        return true
      })
    },
    async of(userId) {
      const found = await table.first(await open(), most, eq('userId', ids.stored(userId)))
      return found.flatMap((link) => ids.ours(link) ?? [])
    },
    async remove({ issuer, subject }, event) {
      await (await open()).transaction(async (tx) => {
        if ((await table.delete(tx, [keyOf(issuer, subject)])) > 0) await events.add(tx, event)
      })
    },
  }
}
