import type { Table } from 'drizzle-orm'
import type { Person } from '../../auth/account-event.js'
import { humanise } from '../../base/humanise.js'
import type { Translate } from '../../base/messages.js'
import { bindColumnless, widestColumn } from '../../field/columnless.js'
import type { Bound, BoundColumn, Field } from '../../field/field.js'
import type { StandardSchema } from '../../field/standard-schema.js'
import { withoutId } from '../model/bind.js'
import { throughColumn } from '../model/link.js'
import { keysIn, shapeOf } from '../model/model.js'
import type { ActionMethod, Handler, HandlerContext } from './action.js'
import type { Ability, Policy, RecordPolicy } from './policy.js'

/** A handler or a method with its defaults. */
export interface BoundAction {
  /** Its name. */
  readonly uri: string
  /** The HTTP method that calls it. */
  readonly method: ActionMethod
  /** Whether its store only reads. */
  readonly safe: boolean
  /** The title of its form and of its job; null: the panel's own words for `massUpdate`. */
  readonly label: string | null
  /** The ability that a user needs. */
  readonly ability: Ability
  /** Who may run it, of the users with the ability, or for a method of a page of those who may see the page; null: all of them. */
  readonly can: Policy | null
  /** Whether it may run over a record; null: over every one that the ability allows. */
  readonly canRecord: RecordPolicy<Record<string, unknown>> | null
  /** The fields of its form. */
  readonly fields: ReadonlyMap<string, Bound>
  /** The schema of its input; null: none. */
  readonly input: StandardSchema | null
  /** The question to confirm first; null: none. */
  readonly confirm: string | null
  /** Other origins to which it may redirect. */
  readonly redirectsTo: readonly string[]
  /** Whether it is one transaction. */
  readonly transaction: boolean
  /** Whether it needs selected records. */
  readonly needsSelection: boolean
  /** Whether it runs as a job. */
  readonly long: boolean
  /** Whether its fields are those of the records, of which a caller names the ones to change. */
  readonly changes: boolean
  /** Does it. */
  run(context: HandlerContext<Record<string, unknown>, Record<string, unknown>, unknown>, words: Words): unknown
}

/** What the panel's own actions say something with. */
export interface Words {
  /** Returns a text of the panel by its key. */
  readonly t: Translate
  /** The panel's `locale`, a BCP 47 tag. */
  readonly locale: string
  /** Names a record to the user by what they may see of it. */
  titleOf(record: Readonly<Record<string, unknown>>): string
  /** Makes a link by which a user sets a password, valid for a day, and mails it if that can be. Null: no such user may sign in. */
  passwordLink(userId: string): Promise<PasswordLink | null>
  /** Removes the passkeys of a user, and ends all of their sessions. */
  removePasskeys(user: Person): Promise<void>
}

/** A link to set a password. */
export interface PasswordLink {
  /** Absolute, if the panel knows its URL. */
  readonly url: string
  /** The address it was mailed to; null: none. */
  readonly to: string | null
}

/** The title of an action's form and of its job. */
export function actionTitle({ label }: Pick<BoundAction, 'label'>, t: Translate): string {
  return label ?? t('massUpdate.title')
}

/** The declared actions by name. */
export function bindActions(declared: object): ReadonlyMap<string, BoundAction> {
  // The types are those of the declaration; whoever calls `run` passes what matches them.
  const all = Object.entries(declared as Record<string, Handler<never, never, unknown>>)
  return new Map(all.map(([uri, action]) => [uri, bindAction(uri, action)]))
}

function bindAction(uri: string, action: Handler<never, never, unknown>): BoundAction {
  const fields = Object.entries((action.fields ?? {}) as Record<string, Field>)
  return Object.freeze({
    uri,
    method: action.method ?? 'POST',
    safe: action.safe ?? false,
    label: action.label ?? humanise(uri),
    ability: action.ability ?? (action.safe ? 'view' : 'update'),
    can: action.can ?? null,
    canRecord: (action.canRecord as RecordPolicy<Record<string, unknown>> | undefined) ?? null,
    fields: new Map(fields.map(([key, field]) => [key, bindInput(key, field)])),
    input: action.input ?? null,
    confirm: action.confirm ?? null,
    redirectsTo: Object.freeze([...(action.redirectsTo ?? [])]),
    transaction: action.transaction ?? true,
    needsSelection: action.selection === 'required',
    long: action.long ?? false,
    changes: false,
    // A second parameter is for the panel's own actions, and in no type of a user's.
    run: (context: unknown, words: Words) => (action.run as (...given: unknown[]) => unknown)(context, words),
  })
}

/** A field of an action's form. */
function bindInput(key: string, field: Field): Bound {
  const { kind, facts } = field
  const column = columnFor(field)
  const label = humanise(kind.relation ? withoutId(key, column.type === 'json') : key)
  return bindColumnless(key, field, { column, nullable: !facts.required, label })
}

/** The widest column that the kind can hold; for a relation, the key column of the related table, or a list of what a link table refers to. */
function columnFor({ kind, facts }: Field): BoundColumn {
  const element = throughColumn(facts.through)
  const [key] = kind.relation && !element && facts.table !== undefined ? keysIn(shapeOf(facts.table as Table)) : []
  if (key) return key
  const many = kind.columns.includes('json') && kind.many({ own: facts } as unknown as Bound)
  // Code has whole numbers of such amounts, as it has in records.
  const best = facts.minor ? 'integer' : 'real'
  const type = many ? 'json' : kind.columns.includes(best) ? best : (kind.columns[0] ?? 'text')
  return widestColumn(type, element)
}
