// For each operation a request that goes through, made of what the document says of it and of what the sweep knows of its resource.
import { Secret, TOTP } from 'otpauth'
import type { Bound } from '../../../src/field/field.js'
import { selects } from '../../../src/openapi/action-schema.js'
import type { Operation } from '../../../src/openapi/operations.js'
import { authenticator } from '../../support/authenticator.js'
import { type Answer, type Ask, password, type World } from './world.js'

/** A request that is answered with this status, of those that say that all went well. Each time about a record, a session or a job of its own. */
export async function validAsk(world: World, operation: Operation, status: number): Promise<Ask> {
  const { method, named, route } = operation
  const asked = { ...operation, sample: sampleOf(world, operation.resource) as NonNullable<World['samples'][string]> }
  const leaves = ['signOut', 'revokeSessions'].includes(named)
  const usual = leaves ? (await world.signIn('leaver')).headers : route.ability === 'public' ? {} : world.admin
  const { path, query, json, file, headers = usual } = await partsOf(world, asked, status, usual)
  const text = new URLSearchParams(query).toString()
  const body = json ?? (route.body === undefined || route.body === 'file' || method === 'GET' || named === 'signOut' ? undefined : {})
  return {
    method,
    path: path + (text && `?${text}`),
    ...(file !== undefined && { body: file }),
    headers: { ...headers, ...(file !== undefined && fileType), ...(operation.resource?.requireIfMatch && { 'if-match': '*' }) },
    ...(body !== undefined && { json: body }),
  }
}

interface Parts {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly file?: string
  /** Of another user than usual. */
  readonly headers?: Readonly<Record<string, string>>
}

const twoFactor = '/admin/profile/two-factor'
const passkeys = '/admin/profile/passkeys'
const origin = 'http://localhost:3000'

/** The code of an authenticator app: of this half minute, or of one after. */
const codeOf = (secret: string, after = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + after * 30_000 })

// Any text that begins so is one, to a field of images, too.
const gif = 'GIF89a'
const fileType = { 'content-type': 'application/octet-stream' }

type Asked = Operation & { readonly sample: World['samples'][string] }

async function partsOf(world: World, asked: Asked, status: number, headers: Readonly<Record<string, string>>): Promise<Parts> {
  const { path, named, sample, resource, verb } = asked
  const at = async () => (path.includes('{resourceItem}') ? path.replace('{resourceItem}', (await newRecord(world, asked)).key) : path)
  switch (named) {
    case 'signIn':
      return { path, json: { username: 'admin', password } }
    case 'signInCode': {
      const { username, secret } = await twoFactorUser(world)
      const { json } = await world.ask({ method: 'POST', path: '/admin/authenticate', json: { username, password } })
      return { path, json: { ticket: json.ticket, code: codeOf(secret, 1) } }
    }
    case 'turnOnTwoFactor': {
      const { headers, secret } = await beginTwoFactor(world)
      return { path, json: { secret, code: codeOf(secret), currentPassword: password }, headers }
    }
    case 'turnOffTwoFactor':
    case 'newRecoveryCodes':
      return { path, json: { currentPassword: password }, headers: (await twoFactorUser(world)).headers }
    case 'refresh':
      return { path, json: { refreshToken: (await world.signIn('leaver')).tokens.refreshToken } }
    case 'updateProfile':
      return { path, json: { name: 'Admin' } }
    case 'signInPasskey': {
      const { device } = await newPasskey(world)
      const begun = await world.ask({ method: 'POST', path: `${path}/options`, json: {} })
      return { path, json: { credential: device.signIn(begun.json.options) }, headers: { cookie: cookiesOf(begun) } }
    }
    case 'beginPasskey':
      return { path, json: { name: 'Sweep', currentPassword: password } }
    case 'addPasskey': {
      const { credential, headers } = await beginPasskey(world, authenticator(origin))
      return { path, json: { name: 'Sweep', credential }, headers }
    }
    case 'renamePasskey':
      return { path: path.replace('{id}', (await newPasskey(world)).id), json: { name: 'Swept' } }
    case 'removePasskey': {
      const { id, headers } = await newPasskey(world)
      return { path: path.replace('{id}', id), headers }
    }
    case 'createApiKey':
      return { path, json: { name: 'Sweep', readOnly: true, currentPassword: password } }
    case 'deleteApiKey':
      return { path: path.replace('{id}', (await newKey(world)).id) }
    case 'viewAs':
    case 'viewAsSelf': {
      const { headers } = await world.signIn('leaver')
      const at = path.replace('{id}', await nobodysId(world))
      if (named === 'viewAsSelf') await world.ask({ method: 'PUT', path: at, headers })
      return { path: at, headers }
    }
    case 'openNotification':
    case 'markNotifications':
    case 'deleteNotifications': {
      const own = path.includes('{id}') ? path.replace('{id}', await newNotification(world)) : path
      return { path: own, ...(named === 'markNotifications' && { json: { read: true } }) }
    }
    case 'writeComment':
      return { path: await at(), json: { text: 'Sweep' } }
    case 'comment':
    case 'editComment':
    case 'deleteComment': {
      const { key } = await newRecord(world, asked)
      const own = path.replace('{resourceItem}', key)
      const of = own.replace(resource?.uriKey ?? '', (resource?.trashOf ?? resource)?.uriKey ?? '')
      const { json } = await world.ask({ method: 'POST', path: of.replace('/{id}', ''), headers: world.admin, json: { text: 'Sweep' } })
      return { path: own.replace('{id}', String(json.data.id)), ...(named === 'editComment' && { json: { text: 'Swept' } }) }
    }
    case 'setPreferences':
      return { path, json: { theme: 'dark' } }
    case 'resetPage':
      return { path: path.replace('{token}', await world.resetToken()) }
    case 'resetPassword':
      return { path: path.replace('{token}', await world.resetToken()), json: { password } }
    case 'revokeSessions':
      return { path: path.replace('{id}', await sessionOf(world, headers)) }
    case 'jobShow':
    case 'jobCancel':
      return { path: path.replace('{id}', await newJob(world)) }
    case 'search':
      return { path: path.replace('{field}', 'ownerId' in (resource?.fields ?? {}) ? 'ownerId' : relationOf(asked)) }
    case 'upload':
      return { path: path.replace('{field}', fileOf(asked)), query: { name: 'swept.gif' }, file: gif }
    case 'file': {
      const field = fileOf(asked)
      const kept = await keptFile(world, resource?.uriKey ?? '', field)
      const bound = resource?.fields.get(field) as Bound
      const several = bound.kind.many(bound)
      const body = (n: number) => ({ ...sample.body(n), [field]: several ? [kept] : kept })
      const { key } = await newRecord(world, { resource, sample: { ...sample, body } })
      return { path: path.replace('{resourceItem}', key).replace('{field}', field), ...(several && { query: { path: kept } }) }
    }
    case 'importRecords':
      return { path, json: { records: [sample.body(world.next())] } }
    case 'create':
    case 'validate':
      return { path: await at(), json: path.includes('{') ? { [sample.field]: `Sweep ${world.next()}` } : sample.body(world.next()) }
    case 'update':
      return { path: await at(), json: { [sample.field]: `Sweep ${world.next()}` } }
    case 'updateField': {
      const { key, record } = await newRecord(world, asked)
      return {
        path: path.replace('{resourceItem}', key),
        json: { field: sample.field, value: `Sweep ${world.next()}`, was: record[sample.field] },
      }
    }
    case 'move':
      return { path: await at(), json: { to: 'first' } }
    case 'exportSelected':
      return { path, json: { _all: true } }
    case 'massDelete':
      return { path, json: { ids: [(await newRecord(world, asked)).key] } }
    case 'handler':
    case 'method':
      return actionParts(world, asked, status)
    default:
      return { path: (await at()).replace(/\{\w+\}/g, 'x'), ...(verb.on === 'panel' && verb.ends.includes('answered') && {}) }
  }
}

/** Which of the actions answers so, what it reads, and a record to do it with. */
async function actionParts(world: World, asked: Asked, status: number): Promise<Parts> {
  const { actions, byQuery, method, named, path } = asked
  // One about records, if there is one: it can be refused in more ways.
  const sorted = [...actions].sort((a, b) => Number(selects(b, asked.resource)) - Number(selects(a, asked.resource)))
  const action = sorted.find(({ long, changes }) => !changes && long === (status === 202)) ?? sorted[0]
  if (!action) throw new Error(`${asked.id} runs nothing`)
  const input = world.inputs[action.uri] ?? {}
  const about = selects(action, asked.resource) ? [(await newRecord(world, asked)).key] : []
  const which = byQuery ? { [named === 'method' ? 'method' : 'handlerUri']: action.uri } : {}
  const at = path.replace('{pageUri}', 'index-page')
  if (action.changes && status === 202) return { path: at, query: which, json: { ...input, ...(await manyOf(world, asked)) } }
  if (method === 'GET')
    return { path: at, query: { ...which, ...(input as Record<string, string>), ...(about[0] && { 'ids[]': about[0] }) } }
  return { path: at, query: which, json: { ...input, ...(about[0] && { ids: about }) } }
}

/** More records of a resource than one transaction changes: all that match a list. */
async function manyOf(world: World, { resource }: Asked) {
  const filter = resource?.uriKey === 'cities' ? { 'filter[name][contains]': 'ab' } : {}
  const path = `/admin/resource/${resource?.uriKey}/crud?${new URLSearchParams({ perPage: '1', ...filter })}`
  const { json } = await world.ask({ method: 'GET', path, headers: world.admin })
  const { total } = json.meta as { readonly total: number }
  if (total <= (resource?.maxMassDelete ?? 0)) throw new Error(`${path} has ${total} records, which are no job yet`)
  return { _all: true, _total: total, ...filter }
}

/** What the sweep knows of a resource. A trash has the records of its resource. */
export const sampleOf = (world: World, resource: Asked['resource']) => world.samples[(resource?.trashOf ?? resource)?.uriKey ?? '']

/** A record of the operation's resource. One of the list of changes or of events of accounts is made by a write elsewhere, one of a trash by a delete. */
export async function newRecord(
  world: World,
  { resource, sample }: Pick<Asked, 'resource' | 'sample'>,
): Promise<{ readonly key: string; readonly record: Record<string, unknown> }> {
  if (resource?.trashOf) {
    const made = await newRecord(world, { resource: resource.trashOf, sample })
    const path = `/admin/resource/${resource.trashOf.uriKey}/crud/${made.key}`
    await world.ask({ method: 'DELETE', path, headers: world.admin })
    return made
  }
  if (resource?.uriKey === 'history') {
    await world.ask({
      method: 'POST',
      path: '/admin/resource/cities/crud',
      headers: world.admin,
      json: world.samples.cities?.body(world.next()),
    })
    return newestOf(world, resource)
  }
  if (resource?.uriKey === 'account-events') {
    await world.newUser()
    return newestOf(world, resource)
  }
  if (resource?.uriKey === 'api-keys') {
    const { id } = await newKey(world)
    return { key: id, record: { id } }
  }
  const { status, json } = await world.ask({
    method: 'POST',
    path: `/admin/resource/${resource?.uriKey}/crud`,
    headers: world.admin,
    json: sample.body(world.next()),
  })
  if (status !== 201) throw new Error(`No record of ${resource?.uriKey} could be made: ${JSON.stringify(json)}`)
  return { key: String(json.data.id), record: json.data as Record<string, unknown> }
}

async function newestOf(world: World, { uriKey }: { readonly uriKey: string }) {
  const { json } = await world.ask({ method: 'GET', path: `/admin/resource/${uriKey}/crud?sort=-id&perPage=1`, headers: world.admin })
  return { key: String(json.data[0].id), record: json.data[0] as Record<string, unknown> }
}

async function nobodysId(world: World): Promise<string> {
  const { json } = await world.ask({ method: 'GET', path: '/admin/resource/users/crud?filter[username]=nobody', headers: world.admin })
  return String(json.data[0].id)
}

/** A new user, and the secret that would set up two-factor sign-in. */
export async function beginTwoFactor(world: World) {
  const username = await world.newUser()
  const { headers } = await world.signIn(username)
  const { json } = await world.ask({ method: 'GET', path: twoFactor, headers })
  return { username, headers, secret: json.data.setUp.secret as string }
}

/** A new user who has set it up. */
export async function twoFactorUser(world: World) {
  const begun = await beginTwoFactor(world)
  const json = { secret: begun.secret, code: codeOf(begun.secret), currentPassword: password }
  const { status } = await world.ask({ method: 'PUT', path: twoFactor, headers: begun.headers, json })
  if (status !== 200) throw new Error('Two-factor sign-in could not be turned on')
  return begun
}

/** An API key of the administrator. */
export async function newKey(world: World): Promise<{ readonly id: string; readonly headers: Readonly<Record<string, string>> }> {
  const json = { name: 'Sweep', currentPassword: password }
  const made = (await world.ask({ method: 'POST', path: '/admin/profile/api-keys', headers: world.admin, json })).json
  return { id: made.data.id, headers: { authorization: `Bearer ${made.key}` } }
}

/** What an administrator's browser would send to add a passkey, and with which cookies. */
async function beginPasskey(world: World, device: ReturnType<typeof authenticator>) {
  const json = { name: 'Sweep', currentPassword: password }
  const begun = await world.ask({ method: 'POST', path: `${passkeys}/options`, headers: world.admin, json })
  const headers = { ...world.admin, cookie: `${world.admin.cookie}; ${cookiesOf(begun)}` }
  return { credential: device.make({ ...begun.json.options, excludeCredentials: [] }), headers }
}

/** A passkey of the administrator. */
async function newPasskey(world: World) {
  const device = authenticator(origin)
  const { credential, headers } = await beginPasskey(world, device)
  // There are twenty at most.
  const { json } = await world.ask({ method: 'GET', path: passkeys, headers: world.admin })
  if (json.data.length > 15) await world.ask({ method: 'DELETE', path: `${passkeys}/${json.data.at(-1).id}`, headers: world.admin })
  const made = await world.ask({ method: 'POST', path: passkeys, headers, json: { name: 'Sweep', credential } })
  return { device, id: made.json.data.id as string, headers: world.admin }
}

/** What a browser would send back. */
function cookiesOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

/** A notification of the administrator. */
async function newNotification({ panel, ask, admin }: World): Promise<string> {
  await panel.notify({ to: { role: 'admin' }, text: 'Sweep' })
  const { json } = await ask({ method: 'GET', path: '/admin/notifications', headers: admin })
  return String(json.data[0].id)
}

async function newJob(world: World): Promise<string> {
  const long = world.operations.find(({ actions, byQuery }) => !byQuery && actions.some((action) => action.long))
  if (!long) throw new Error('There is no long handler')
  const { json } = await world.ask(await validAsk(world, long, 202))
  return json.data.id
}

async function sessionOf(world: World, headers: Readonly<Record<string, string>>): Promise<string> {
  const { json } = await world.ask({ method: 'GET', path: '/admin/profile', headers })
  return json.data.sessions.find((one: { current: boolean }) => one.current).id
}

function fileOf({ resource }: Operation): string {
  return [...(resource?.fields.values() ?? [])].find(({ kind }) => kind.file)?.key ?? ''
}

/** The path of a file that the resource's field may name. */
async function keptFile(world: World, uriKey: string, field: string): Promise<string> {
  const headers = { ...world.admin, ...fileType }
  const { json } = await world.ask({ method: 'POST', path: `/admin/upload/${uriKey}/${field}?name=swept.gif`, headers, body: gif })
  return json.data.path
}

function relationOf({ resource }: Operation): string {
  return [...(resource?.fields.values() ?? [])].find(({ kind }) => kind.relation)?.key ?? resource?.model.key.key ?? ''
}
