// Other panels on the same rows, installed beside us and never among our dependencies.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { npm, Stop } from '../scripts/run.mjs'
import { ask, requestText } from './load.mjs'
import { newPost } from './works.mjs'

const versions = {
  adminjs: '7.8.17',
  '@adminjs/express': '6.1.1',
  '@adminjs/sql': '2.2.6',
  express: '4.21.2',
  'express-formidable': '1.2.0',
  'express-session': '1.18.1',
  tslib: '2.8.1',
}

/** Installs AdminJS in a temporary folder, once, and returns how to start its server. */
export async function installAdminJs() {
  const folder = join(tmpdir(), `daymark-peers-adminjs-${versions.adminjs}`)
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) {
    console.log(`Installing AdminJS ${versions.adminjs} in ${folder} …`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: versions }))
    const code = await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
    if (code !== 0) throw new Stop(`npm install ended with ${code}: without AdminJS there is nothing to compare with`)
  }
  const script = join(folder, 'adminjs.mjs')
  copyFileSync(fileURLToPath(new URL('peers/adminjs.mjs', import.meta.url)), script)
  return { script: pathToFileURL(script).href, env: { NODE_ENV: 'production', ADMIN_JS_SKIP_BUNDLE: 'true' } }
}

const api = '/admin/api/resources/posts'

/** The same works for AdminJS, by name, through the API that its pages call. */
export function worksOfAdminJs(rows) {
  const get = (path) => () => ({ status: 200, next: () => requestText('GET', `${api}/${path}`) })
  const list = (query) => get(`actions/list?perPage=25&${query}`)
  let count = 0
  // Its answer does not contain a new record's key, so read that from the list, newest first.
  const newest = async (port) => {
    const answer = await ask(port, requestText('GET', `${api}/actions/list?perPage=500&sortBy=id&direction=desc`))
    return JSON.parse(answer.body())
      .records.map(({ params }) => Number(params.id))
      .filter((id) => id > rows)
  }
  // AdminJS answers 200 to refused writes, too.
  const done = (last) => {
    if (last && !last.body().includes('"type":"success"')) throw new Error(`AdminJS refused: ${last.body().slice(0, 300)}`)
  }
  const update = () => ({
    status: 200,
    next: (connection, last) => {
      done(last)
      return requestText('POST', `${api}/records/${1000 + connection}/edit`, { body: { views: ++count, title: `Changed ${count}` } })
    },
  })
  return new Map(
    Object.entries({
      listing: list('sortBy=id&direction=desc'),
      'filtered and sorted': list('filters.status=published&sortBy=views&direction=desc'),
      'page at 90 %': list(`sortBy=id&direction=desc&page=${Math.floor((rows * 0.9) / 25)}`),
      'read one': () => ({ status: 200, next: () => requestText('GET', `${api}/records/${1 + ((++count * 7919) % rows)}/show`) }),
      'create, eight at once': () => ({
        status: 200,
        next(_, last) {
          done(last)
          return requestText('POST', `${api}/actions/new`, { body: newPost(++count) })
        },
      }),
      'update, one at a time': () => ({ ...update(), connections: 1 }),
      'update, eight at once': update,
      'delete, eight at once': async ({ port }) => {
        const keys = await newest(port)
        const next = (_, last) => {
          done(last)
          return keys.length > 0 ? requestText('POST', `${api}/records/${keys.shift()}/delete`, { body: {} }) : null
        }
        return { status: 200, next }
      },
    }).map(([name, begin]) => [name, { begin }]),
  )
}
