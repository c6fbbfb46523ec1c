import { randomUUID } from 'node:crypto'
import type { Reply } from '../face/face.js'
import type { Head } from './incoming.js'

/** The state from which an answer was made. */
export interface CacheState {
  readonly requests: number
  /** The version of the panel's databases. */
  readonly version: unknown
}

interface CachedReply {
  readonly reply: Reply
  readonly at: CacheState
  /** In milliseconds since 1970. */
  readonly until: number
}

// At the limits, a few megabytes, the whole cache is dropped.
const most = 500
const mostBytes = 8_388_608
const longest = 262_144
// Two generations of 250 marks, no more than the 500 answers kept: a request that recurs less often would have been evicted by then.
const lately = 250

/**
 * Caches whole replies to GETs, by the request head (`Head`) and the client's address. A cached reply is valid while the database version
 * (`Store.version`) stays the same and no POST, PUT, PATCH or DELETE runs, since those may change this process's memory. Only replies
 * declared to depend on nothing else (`Reply.stays`, `RequestContext.sameUntil`) are kept.
 */
export class ReplyCache {
  #known = new Map<string, CachedReply>()
  /** The hashes of recent heads, in two generations: a request that comes for the first time is not worth the memory. */
  #once = new Set<number>()
  #before = new Set<number>()
  #bytes = 0
  #requests = 0

  /** @param version changes whenever a database of the panel may have changed */
  constructor(readonly version: () => unknown) {}

  /** The cached reply; or, for a request that recurs, the CacheState to pass to `keep`; or null: answer it and keep nothing. */
  find(head: Head, peer: string): Reply | CacheState | null {
    if (!this.#cameLately(head.mark)) return null
    const at = this.#now()
    const known = at && this.#known.get(nameOf(head, peer))
    if (!known) return at
    const same = known.at.version === at.version && known.at.requests === at.requests && Date.now() < known.until
    return same ? again(known.reply) : at
  }

  /**
   * Keeps a reply, unless something has changed since work on it began.
   *
   * @param at what `find` returned before the reply was made
   * @param until when the reply expires by itself
   */
  keep(head: Head, peer: string, { reply, at, until }: CachedReply): void {
    const name = nameOf(head, peer)
    const bytes = bytesOf(name, reply)
    const before = this.#known.get(name)
    if (before) this.#bytes -= bytesOf(name, before.reply)
    if (at.requests !== this.#requests || bytes > longest) {
      this.#known.delete(name)
      return
    }
    if ((!before && this.#known.size === most) || this.#bytes + bytes > mostBytes) {
      this.#known = new Map()
      this.#bytes = 0
    }
    // Overwritten in place: deleting first makes V8 rehash the map again and again (see `Line`).
    this.#known.set(name, { reply, at, until })
    this.#bytes += bytes
  }

  /** Called when a request that may change memory begins, and when it ends. */
  changes(): void {
    this.#requests++
  }

  #cameLately(mark: number): boolean {
    if (this.#once.has(mark)) return true
    if (this.#once.size === lately) {
      this.#before = this.#once
      this.#once = new Set()
    }
    this.#once.add(mark)
    return this.#before.has(mark)
  }

  /** Null if the database cannot be asked now. */
  #now(): CacheState | null {
    try {
      return { requests: this.#requests, version: this.version() }
    } catch {
      return null
    }
  }
}

const nameOf = (head: Head, peer: string) => `${peer} ${head.text()}`

/** A copy with a new request id. */
function again({ status, headers: known, body, about }: Reply): Reply {
  const headers = { ...known, 'x-request-id': randomUUID() }
  return about ? { status, headers, body, about } : { status, headers, body }
}

function bytesOf(name: string, { body }: Reply): number {
  return name.length + (body === null ? 0 : typeof body === 'string' || body instanceof Uint8Array ? body.length : longest)
}
