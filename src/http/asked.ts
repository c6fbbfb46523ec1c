import type { RequestHead } from '../auth/pipeline.js'

/** A request as the door needs it. A web Request gives one, and so does what `node:http` hands out: the two ways in meet here. */
export interface Asked extends RequestHead {
  /** The bytes of the body. Once they are more than the limit, the rest is not read. */
  read(limit: number): Promise<Uint8Array>
  /** The head of a GET, as it came; null for any other request. Without it nobody knows. */
  head?(): Head | null
}

/** All of a request but where it came from, to tell it from others. */
export interface Head {
  /** Those of two different heads are seldom the same. */
  readonly mark: number
  /** Those of two different heads are never the same. */
  text(): string
}

/** A web Request. */
export function asked(request: Request): Asked {
  const { method, url, headers } = request
  return {
    method,
    url,
    headers,
    // A stated length is held by the server, so the whole may be taken at once, which costs a third of reading a stream.
    read: async (limit) => (headers.has('content-length') ? new Uint8Array(await request.arrayBuffer()) : readStream(request.body, limit)),
  }
}

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
