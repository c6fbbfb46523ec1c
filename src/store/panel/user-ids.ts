import { modelOf } from '../../resource/model/model.js'
import type { UserModel } from './users.js'

/**
 * How the ids of users are stored in tables that panels share. Two such panels may have different users with the same id: those of an
 * application's table are stored with the table's name.
 */
export interface UserIds {
  stored(id: string): string
  /** What is stored, with the id as the panel knows it; null: it is of a user whom the panel does not have. */
  ours<T extends { readonly userId: string }>(row: T | null): T | null
}

/** @param users the application's; left out: the panel's own, whose ids are numbers and stored as they are */
export function userIds(users?: UserModel): UserIds {
  if (!users) return { stored: (id) => id, ours: (row) => (row?.userId.includes(':') ? null : row) }
  const prefix = `${modelOf(users.model).fullName}:`
  return {
    stored: (id) => prefix + id,
    ours: (row) => (row?.userId.startsWith(prefix) ? { ...row, userId: row.userId.slice(prefix.length) } : null),
  }
}
