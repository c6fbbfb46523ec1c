import { getTableUniqueName } from 'drizzle-orm'
import type { Model } from '../../resource/model.js'

/** The name of a model's table, with its schema unless that is the default. */
export function tableName({ table }: Model): string {
  return getTableUniqueName(table).replace(/^public\./, '')
}
