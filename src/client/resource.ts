import { actionClient } from './actions.js'
import { Problem } from './problem.js'
import { type AnyQuery, queryText } from './query.js'
import { segmentOf } from './segment.js'
import type { Send } from './wire.js'

interface Write {
  readonly ifMatch?: string | null
}

interface ImportAsked {
  readonly mode?: string
  readonly check?: boolean
}

// Bounded, since a client may run for weeks.
const mostVersions = 1000

/** The operations on one resource. The types are in `shapes.ts`. */
export function resourceClient(send: Send, prefix: string, uriKey: string) {
  const path = `/${prefix}/${uriKey}/crud`
  const versions = new Map<string, string>()
  const at = (key: string | number) => `${path}/${segmentOf(key)}`
  const remember = (key: string, etag: string | null) => {
    versions.delete(key)
    if (etag !== null) versions.set(key, etag)
    if (versions.size > mostVersions) versions.delete(versions.keys().next().value as string)
  }
  const forget = (keys: readonly (string | number)[]) => {
    for (const key of keys) versions.delete(String(key))
  }
  const match = (key: string | number, { ifMatch = versions.get(String(key)) }: Write = {}) =>
    ifMatch ? { 'if-match': ifMatch } : undefined
  const list = async (query: AnyQuery = {}) => (await send('GET', path + queryText(query))).body

  return {
    list,
    async export(query: AnyQuery = {}, keys?: readonly (string | number)[]) {
      const to = `/${prefix}/${uriKey}/export${queryText(query)}`
      return (await (keys ? send('POST', to, { ids: keys }, undefined, true) : send('GET', to, undefined, undefined, true))).file
    },
    async *each(query: AnyQuery = {}) {
      let text: string | undefined = queryText(query)
      while (text !== undefined) {
        const { data, links } = (await send('GET', path + text)).body as { data: object[]; links?: { next: string | null } }
        yield* data
        // Only the query: a proxy may have changed the path.
        text = links?.next ? links.next.slice(links.next.indexOf('?')) : undefined
      }
    },
    async get(key: string | number, query: AnyQuery = {}) {
      const { body, etag } = await send('GET', at(key) + queryText(query))
      // A response with only some fields has no ETag.
      if (etag !== null) remember(String(key), etag)
      return body.data
    },
    history: async (key: string | number, { cursor = '' }: { readonly cursor?: string } = {}) =>
      (await send('GET', `${at(key)}/history${cursor && `?cursor=${encodeURIComponent(cursor)}`}`)).body,
    comments: async (key: string | number, { cursor = '' }: { readonly cursor?: string } = {}) =>
      (await send('GET', `${at(key)}/comments${cursor && `?cursor=${encodeURIComponent(cursor)}`}`)).body,
    comment: async (key: string | number, text: string) => (await send('POST', `${at(key)}/comments`, { text })).body.data,
    editComment: async (key: string | number, id: number, text: string) =>
      (await send('PATCH', `${at(key)}/comments/${id}`, { text })).body.data,
    async deleteComment(key: string | number, id: number) {
      await send('DELETE', `${at(key)}/comments/${id}`)
    },
    async upload(field: string, file: Blob, name = file instanceof File ? file.name : '') {
      const { body } = await send('POST', `/upload/${uriKey}/${segmentOf(field)}?name=${encodeURIComponent(name)}`, file)
      return (body.data as { readonly path: string }).path
    },
    async file(key: string | number, field: string, path?: string) {
      const query = path === undefined ? '' : `?path=${encodeURIComponent(path)}`
      return (await send('GET', `${at(key)}/file/${segmentOf(field)}${query}`, undefined, undefined, true)).file
    },
    async create(values: object) {
      const { body, etag, location } = await send('POST', path, values)
      // The types do not say which of the values is the key.
      const key = location && /[^/?]+(?=$|\?)/.exec(location)?.[0]
      if (key) remember(decodeURIComponent(key), etag)
      return body.data
    },
    async update(key: string | number, patch: object, options?: Write) {
      const { body, etag } = await send('PATCH', at(key), patch, match(key, options))
      remember(String(key), etag)
      return body.data
    },
    async validate(values: object, key?: string | number) {
      const { body } = await send('POST', `/${prefix}/${uriKey}/validate${key === undefined ? '' : `/${segmentOf(key)}`}`, values)
      return { computed: body.computed, filled: body.filled }
    },
    async move(key: string | number, place: object) {
      const { body, etag } = await send('PUT', `${at(key)}/place`, place)
      remember(String(key), etag)
      return body.data
    },
    async delete(key: string | number, options?: Write) {
      await send('DELETE', at(key), undefined, match(key, options))
      versions.delete(String(key))
    },
    async deleteMany(keys: readonly (string | number)[]) {
      const { body } = await send('DELETE', path, { ids: keys })
      forget(keys)
      return body.deleted
    },
    async import(records: readonly object[] | Blob, { mode = 'create', check = false }: ImportAsked = {}) {
      const to = `/${prefix}/${uriKey}/import?mode=${mode}${check ? '&check=1' : ''}`
      const { body } = await (records instanceof Blob
        ? send('POST', to, records, { 'content-type': records.type.includes('.openxmlformats-') ? records.type : 'text/csv' })
        : send('POST', to, { records }))
      // Which records a file has changed is not known, nor which of the values of a row is its key.
      if (mode !== 'create' && !check) versions.clear()
      return body.data
    },
    handlers: actionClient(send, (name) => `/${prefix}/${uriKey}/handler/${segmentOf(name)}`, forget),
    methods: actionClient(send, (name) => `/method/index-page/${uriKey}?method=${encodeURIComponent(name)}`, forget),
    isProblem: (thrown: unknown) => thrown instanceof Problem,
  }
}
