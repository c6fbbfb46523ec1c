import { uriOf } from '../resource/condition/declared.js'
import { type Model, modelOf } from '../resource/model/model.js'
import type { Problem, Say } from '../resource/problem.js'
import { placeOf } from '../resource/relation/place.js'
import type { Resource } from '../resource/resource.js'
import { databaseFault } from '../store/sql/open.js'
import type { SqlStore } from '../store/sql/sql-store.js'
import { tableFault } from '../store/sql/twin.js'
import type { PanelSpec } from './spec.js'

/** What is wrong with the databases that are named, and with those that are not. */
export function checkDatabases(spec: PanelSpec, say: Say): void {
  const named = [['database', spec.database], ...spec.resources.map(({ uriKey, database }) => [`${uriKey}.database`, database])] as const
  for (const [where, url] of named) {
    const fault = typeof url === 'string' ? databaseFault(url) : null
    if (fault !== null) say('database', where as string, fault)
  }
  if (spec.database === undefined) {
    const homeless = spec.resources.filter((resource) => !resource.database && !resource.ownStore).map((resource) => resource.uriKey)
    if (homeless.length > 0)
      say('database', 'database', `name the database of ${homeless.join(', ')}: a DATABASE_URL or a Drizzle database`)
    if (spec.auth !== 'open')
      say('auth-database', 'database', "name the database that holds the panel's own tables: its users and sessions")
  }
}

/** What is wrong with the replica. */
export function checkReplica(spec: PanelSpec, say: Say): void {
  const { database, after = 10 } = spec.replica ?? {}
  if (spec.replica && (spec.database === undefined || (typeof database === 'string' && !/^postgres(?:ql)?:/.test(database))))
    say(
      'replica',
      'replica.database',
      'a replica needs a PostgreSQL `database`, and is given as a URL or a Drizzle database over node-postgres',
    )
  if (!Number.isSafeInteger(after) || after < 2) say('replica', 'replica.after', `${after} is not a whole number of seconds, of at least 2`)
}

/** What is written in one transaction has to be in one database: mostly that of the panel, which keeps more than the record. */
export function checkPlaces(spec: PanelSpec, say: Say): void {
  // What is wrong with a trash there is wrong with its resource, too.
  const managers = spec.resources.filter(({ trashOf }) => trashOf === null)
  const place = (resource: Resource) => placeOf(resource, spec.database)
  const isElsewhere = (resource: Resource) => spec.database === undefined || place(resource) !== spec.database
  for (const resource of managers)
    if (resource.history !== false && isElsewhere(resource))
      say(
        'history-database',
        `${resource.uriKey}.history`,
        "a history is kept in the transaction of the write, so it needs a table in the panel's `database`; remove `history`",
      )
  for (const resource of managers)
    if (resource.comments && isElsewhere(resource))
      say(
        'comments-database',
        `${resource.uriKey}.comments`,
        "comments go with their record, in one transaction, so they need a table in the panel's `database`; remove `comments`",
      )
  for (const resource of managers)
    for (const field of resource.fields.values())
      if (field.kind.file && isElsewhere(resource))
        say(
          'files-database',
          `${resource.uriKey}.fields.${field.key}`,
          "which files nobody holds is kept in the transaction of the write, so it needs a table in the panel's `database`",
        )
  for (const resource of managers)
    for (const { table, inForm } of resource.related) {
      const other = managers.find(({ uriKey }) => uriKey === uriOf(table.resource))
      if (inForm !== null && other && place(resource) !== place(other))
        say(
          'nested-database',
          `${resource.uriKey}.related.${table.name}`,
          'what is edited in the form is saved in its transaction, so it has to be in the same database',
        )
    }
  for (const [i, { of }] of (spec.webhooks ?? []).entries())
    for (const resource of spec.resources)
      if (Array.isArray(of) && of.includes(resource) && isElsewhere(resource))
        say(
          'webhook-database',
          `webhooks[${i}].of`,
          `what it is told of "${resource.uriKey}" is stored in the transaction of the write, so it needs a table in the panel's \`database\``,
        )
}

/**
 * What is wrong with the tables of resources and users: that their database is another one than they are made for. It asks the stores, which
 * alone know what a Drizzle database is.
 */
export function checkTables({ database, resources, users }: PanelSpec, storeOf: (database: string | object) => SqlStore): Problem[] {
  const problems: Problem[] = []
  const say = (id: string, where: string, text: string) => problems.push({ id, where, text })
  const check = (where: string, model: Model, database: string | object | undefined) => {
    const fault = database === undefined ? null : tableFault(storeOf(database).dialect, model)
    if (fault !== null) say('table-database', where, fault)
  }
  for (const { uriKey, model, ownStore, database: own } of resources) if (!ownStore) check(`${uriKey}.model`, model, own ?? database)
  if (users) check('users.model', modelOf(users.model), database)
  return problems
}
