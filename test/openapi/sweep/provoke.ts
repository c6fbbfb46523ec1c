import { selects } from '../../../src/openapi/action-schema.js'
import type { Operation } from '../../../src/openapi/operations.js'
import { beginTwoFactor, newKey, newRecord, sampleOf, twoFactorUser, validAsk } from './valid.js'
import type { Answer, Ask, World } from './world.js'

/** Asks so that the operation answers with this status, and gives what it said. */
export async function provoke(world: World, operation: Operation, status: number): Promise<Answer> {
  const own = provocations[status]
  if (own) return own(world, operation)
  if (status < 300) return world.ask(await validAsk(world, operation, status))
  throw new Error(`Nobody knows how ${operation.id} comes to answer ${status}`)
}

const twoFactorVerbs = ['turnOnTwoFactor', 'turnOffTwoFactor', 'newRecoveryCodes']

type Provocation = (world: World, operation: Operation) => Promise<Answer>

const provocations: { readonly [status: number]: Provocation } = {
  206: changed((asked) => wearing(asked, { range: 'bytes=1-2' })),
  304: async (world, operation) => {
    const asked = await valid(world, operation)
    const { headers } = await world.ask(asked)
    return world.ask(wearing(asked, { 'if-none-match': headers.get('etag') ?? '' }))
  },
  400: changed((asked, { route }) =>
    route.body === undefined || route.body === 'file' ? wearing(asked, { 'if-match': 'damaged' }) : sending(asked, '{', 'application/json'),
  ),
  401: async (world, operation) => {
    const asked = await valid(world, operation)
    if (operation.named === 'signIn') return world.ask({ ...asked, json: { username: `stranger ${world.next()}`, password: 'wrong' } })
    if (operation.named === 'signInCode') return world.ask({ ...asked, json: { ticket: 'wrong', code: '000000' } })
    if (operation.named === 'signInPasskey') {
      await world.ask(asked)
      // The challenge is used up.
      return world.ask(asked)
    }
    if (operation.named === 'refresh') return world.ask({ ...asked, json: { refreshToken: 'wrong' } })
    return world.ask(bare(asked))
  },
  // What changes something is refused to a page elsewhere, and a sign-in where its cookie would be lost; else it takes somebody without a role.
  403: async (world, operation) => {
    const asked = await valid(world, operation)
    if (asked.method !== 'GET') return world.ask(wearing(asked, { 'sec-fetch-site': 'cross-site' }))
    if (operation.route.ability === 'public') return world.ask({ ...asked, origin: 'http://panel.example' })
    if (operation.named === 'apiKeys' || operation.named === 'passkeys')
      return world.ask(wearing(bare(asked), (await newKey(world)).headers))
    return world.ask(wearing(bare(asked), world.nobody))
  },
  404: async (world, operation) => {
    const asked = await valid(world, operation)
    const { path, byQuery } = operation
    if (byQuery) return world.ask({ ...asked, path: asked.path.replace(/((?:handlerUri|method)=)[^&]*/, '$1none') })
    if (path.includes('{')) return world.ask({ ...asked, path: path.replace(/\{\w+\}/g, missing(operation)) + queryOf(asked) })
    if (operation.route.page !== undefined) return world.ask({ ...asked, path: `${path}?_fragment-load=none` })
    if (operation.named === 'exportList') return world.ask({ ...asked, path: `${path}?ids[]=1999999999` })
    if (operation.named === 'exportSelected') return world.ask({ ...asked, json: { ids: ['1999999999'] } })
    if (asked.method === 'GET') return world.ask({ ...asked, path: asked.path.replace(/(ids%5B%5D=)[^&]*/, '$1999999999') })
    return world.ask({ ...asked, json: { ...(asked.json as object), ids: ['999999999'] } })
  },
  405: async (world, operation) => {
    const asked = await valid(world, operation)
    const other = world.operations.find(({ path, method }) => path === operation.path && method !== operation.method)?.actions[0]
    return world.ask({ ...asked, path: asked.path.replace(/((?:handlerUri|method)=)[^&]*/, `$1${other?.uri}`) })
  },
  406: changed((asked) => wearing(asked, { accept: 'image/png' })),
  409: async (world, operation) => {
    const asked = await valid(world, operation)
    const { resource, actions, named } = operation
    if (twoFactorVerbs.includes(named)) {
      const { headers } = named === 'turnOnTwoFactor' ? await twoFactorUser(world) : await beginTwoFactor(world)
      return world.ask({ ...asked, headers })
    }
    if (named === 'importRecords') {
      // A form that was sent already, with another file.
      const parts = { _once: `sweep ${world.next()}`, mode: 'update' }
      const form = (notes: string) => sending(asked, multipart(parts, `id,notes\n1,${notes}\n`), 'multipart/form-data; boundary=part')
      await world.ask(form('one'))
      return world.ask(form('other'))
    }
    if (actions.length > 0 && !actions.some((action) => selects(action, resource))) {
      // What it makes twice may be there once.
      world.sql(`create unique index if not exists kept_once on owners (name) where name = 'Kept'`)
      await world.ask(asked)
      return world.ask(asked)
    }
    if (actions.length > 0) {
      if (asked.method === 'GET')
        return world.ask({ ...asked, path: `${asked.path.replace(/&?ids%5B%5D=[^&]*/, '')}&_all=1&_total=999999999` })
      const { ids: _, ...input } = asked.json as { readonly ids: unknown }
      return world.ask({ ...asked, json: { ...input, _all: true, _total: 999_999_999 } })
    }
    const sample = sampleOf(world, resource)
    if (!sample) throw new Error(`${operation.id} conflicts with nothing`)
    const { table, column, field } = sample
    const taken = (await newRecord(world, { resource, sample })).record[field]
    if (named === 'destroy' || named === 'massDelete') {
      const key = named === 'destroy' ? asked.path.split('/').at(-1) : (asked.json as { readonly ids: readonly string[] }).ids[0]
      const soft = resource?.softDelete?.column.name
      if (soft !== undefined) {
        // A trigger keeps it as it is.
        world.sql(
          `create trigger keeps_${table}_${key} before update of ${soft} on ${table} when old.id = ${key} begin select raise(ignore); end`,
        )
        return world.ask(asked)
      }
      // A table that the panel knows nothing of refers to it.
      world.sql(
        `create table if not exists refers_to_${table} (id integer references ${table} (id)); insert into refers_to_${table} values ('${key}')`,
      )
      return world.ask(asked)
    }
    if (named === 'move') {
      // The last comes first, but for a trigger that keeps it where it is.
      const { key } = await newRecord(world, { resource, sample })
      world.sql(
        `create trigger keeps_${table}_${key} before update of position on ${table} when old.id = ${key} begin select raise(ignore); end`,
      )
      return world.ask({ ...asked, path: operation.path.replace('{resourceItem}', key) })
    }
    world.sql(`create unique index if not exists one_${column}_of_${table} on ${table} (${column}) where ${column} like 'Sweep%'`)
    const json = asked.json as Readonly<Record<string, unknown>>
    return world.ask({ ...asked, json: named === 'updateField' ? { ...json, value: taken } : { ...json, [field]: taken } })
  },
  412: changed((asked) => wearing(asked, { 'if-match': '"another"' })),
  413: changed((asked, { route }) =>
    route.body === 'file'
      ? sending(asked, `GIF89a${'x'.repeat(10_000_000)}`, 'application/octet-stream')
      : sending(asked, `{"name":"${'x'.repeat(1_048_576)}"}`, 'application/json'),
  ),
  415: changed((asked, { route }) => sending(asked, 'name', route.body === 'file' ? 'multipart/form-data' : 'text/plain')),
  416: changed((asked) => wearing(asked, { range: 'bytes=1000000-' })),
  421: changed((asked) => wearing(asked, { host: 'elsewhere.example' })),
  422: changed((asked) => ({ ...asked, path: `${asked.path}${asked.path.includes('?') ? '&' : '?'}x=${'x'.repeat(16_384)}` })),
  428: async (world, operation) => {
    const { headers: { 'if-match': _, ...headers } = {}, ...asked } = await valid(world, operation)
    return world.ask({ ...asked, headers })
  },
  429: async (world, operation) => {
    const signsIn = operation.named === 'signIn'
    const asked = await valid(world, operation)
    if (operation.named === 'signInPasskey') {
      // One that is used up is tried again, until this challenge was tried too often.
      for (let i = 0; ; i++) {
        const answer = await world.ask(asked)
        if (answer.status === 429 || i === 20) return answer
      }
    }
    const guesses =
      operation.named === 'signInCode' ||
      ['createApiKey', 'beginPasskey'].includes(operation.named) ||
      twoFactorVerbs.includes(operation.named)
    const wrong = signsIn
      ? { username: 'guessed', password: 'wrong' }
      : guesses
        ? { ...(asked.json as object), ...(operation.named === 'signInCode' ? { code: '000000' } : { currentPassword: 'wrong' }) }
        : { newPassword: 'correct horse battery 2', currentPassword: 'wrong' }
    const headers =
      signsIn || (guesses && !['createApiKey', 'beginPasskey'].includes(operation.named))
        ? asked.headers
        : (await world.signIn(await world.newUser())).headers
    for (let i = 0; ; i++) {
      const answer = await world.ask({ ...asked, ...(headers && { headers }), json: wrong })
      if (answer.status === 429 || i === 20) return answer
    }
  },
}

/** A request that goes through but for one thing. */
function changed(change: (asked: Ask, operation: Operation) => Ask): Provocation {
  return async (world, operation) => world.ask(change(await valid(world, operation), operation))
}

const known = new WeakMap<World, Map<string, Ask>>()

/** A request that would go through. What it is about is the same each time: it is about to be refused. */
async function valid(world: World, operation: Operation): Promise<Ask> {
  const asked = known.get(world) ?? new Map<string, Ask>()
  known.set(world, asked)
  const one = asked.get(operation.id) ?? (await validAsk(world, operation, 200))
  asked.set(operation.id, one)
  return one
}

function wearing(asked: Ask, headers: Readonly<Record<string, string>>): Ask {
  return { ...asked, headers: { ...asked.headers, ...headers } }
}

function bare({ headers: _, ...asked }: Ask): Ask {
  return asked
}

function sending({ json: _, ...asked }: Ask, body: string, type: string): Ask {
  return { ...wearing(asked, { 'content-type': type }), body }
}

function multipart(fields: Readonly<Record<string, string>>, csv: string): string {
  const texts = Object.entries(fields).map(([name, text]) => `--part\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)
  return `${texts.join('')}--part\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${csv}\r\n--part--\r\n`
}

function queryOf({ path }: Ask): string {
  return path.includes('?') ? path.slice(path.indexOf('?')) : ''
}

/** A key of no record; where anything may stand in the path, what is no text. */
function missing({ path, named }: Operation): string {
  return path.includes('{resourceItem}') && named !== 'composed' ? '999999999' : '%FF'
}
