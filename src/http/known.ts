import { randomUUID } from 'node:crypto'
import type { Reply } from '../face/face.js'
import type { Head } from './asked.js'

/** What of the world an answer was made of. */
export interface Moment {
  readonly requests: number
  /** What the databases of the panel said. */
  readonly version: unknown
}

interface Known {
  readonly reply: Reply
  readonly at: Moment
  /** In milliseconds since 1970. */
  readonly until: number
}

// A few megabytes: then all are forgotten.
const most = 500
const mostBytes = 8_388_608
const longest = 262_144
// Not more than are kept: what comes again only after so many others would be forgotten by then.
const lately = 250

/**
 * Answers that are known, byte by byte: to a GET that came before with the very same head from the same address, for as long as nothing that it was made of has changed.
 * The database says so itself (`Store.version`), and what a process keeps in its memory is changed by other requests than GET alone, after each of which all is asked anew.
 * Whoever makes an answer says whether anything else had a part in it (`Reply.stays`, `Visit.sameUntil`): nothing is kept that was not said to stay.
 */
export class KnownAnswers {
  #known = new Map<string, Known>()
  /** The marks of heads that came lately, and of those before them: what comes for the first time is not worth its memory. */
  #once = new Set<number>()
  #before = new Set<number>()
  #bytes = 0
  #requests = 0

  /** @param version another one whenever a database of the panel may have changed */
  constructor(readonly version: () => unknown) {}

  /** The answer to a request that came before; or when it comes again, so that the new answer may be kept; null: it is to be answered, and that is all. */
  find(head: Head, peer: string): Reply | Moment | null {
    if (!this.#cameLately(head.mark)) return null
    const at = this.#now()
    const known = at && this.#known.get(nameOf(head, peer))
    if (!known) return at
    const same = known.at.version === at.version && known.at.requests === at.requests && Date.now() < known.until
    return same ? again(known.reply) : at
  }

  /**
   * Keeps an answer, where nothing has changed since it was begun.
   *
   * @param at what `find` gave before it was made
   * @param until when it ends to be true by itself
   */
  keep(head: Head, peer: string, { reply, at, until }: Known): void {
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
    // In the place of the one before: one that is taken out first has the map built anew, again and again (see `Line`).
    this.#known.set(name, { reply, at, until })
    this.#bytes += bytes
  }

  /** A request that may change what is kept in memory begins or ends. */
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

  /** Null where the database cannot be asked now. */
  #now(): Moment | null {
    try {
      return { requests: this.#requests, version: this.version() }
    } catch {
      return null
    }
  }
}

const nameOf = (head: Head, peer: string) => `${peer} ${head.text()}`

/** Each answer has an id of its own. */
function again({ status, headers, body }: Reply): Reply {
  return { status, headers: { ...headers, 'x-request-id': randomUUID() }, body }
}

function bytesOf(name: string, { body }: Reply): number {
  return name.length + (body === null ? 0 : typeof body === 'string' || body instanceof Uint8Array ? body.length : longest)
}
