import type { RequestHead } from '../auth/pipeline.js'

/** The request as the door needs it, from a web Request or from `node:http`: the two entry points meet here. */
export interface IncomingRequest extends RequestHead {
  /** Reads the body. Stops soon after more than `limit` bytes have come. */
  read(limit: number): Promise<Uint8Array>
  /** Reads the body piece by piece. */
  stream(): AsyncIterable<Uint8Array>
  /** The head of a GET; null for other methods. Absent where the raw head is not available. */
  head?(): Head | null
}

/** The request head but for what numbers each request, and without the client's address: identifies repeated requests. */
export interface Head {
  /** A hash: different heads rarely share it. */
  readonly mark: number
  /** Unique: different heads never share it. */
  text(): string
}

/** Why a body cannot be read: whoever mounts the panel has read it. */
export class BodyTakenError extends Error {
  constructor() {
    super('Something before the panel has read the body of a request: mount the panel first')
  }
}

/** Wraps a web Request. */
export function fromWeb(request: Request): IncomingRequest {
  const { method, url, headers } = request
  return {
    method,
    url,
    headers,
    // The server enforces a stated Content-Length, so the body can be read in one go: a third of the cost of reading a stream.
    stream: () => (request.bodyUsed ? taken() : (request.body ?? nothing())),
    read: async (limit) => {
      if (request.bodyUsed) throw new BodyTakenError()
      return headers.has('content-length') ? new Uint8Array(await request.arrayBuffer()) : readStream(request.body, limit)
    },
  }
}

// biome-ignore lint/correctness/useYield: it fails at once
async function* taken(): AsyncGenerator<Uint8Array> {
  throw new BodyTakenError()
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function readStream(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = stream?.getReader()
  while (reader && length <= limit) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.byteLength
  }
  return Buffer.concat(chunks)
}
