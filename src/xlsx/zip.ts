import { pipeline } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'

/** A file in an archive. */
export interface Part {
  readonly path: string
  /** Its text, made while it is sent. */
  readonly text: Iterable<string> | AsyncIterable<string>
}

/** A ZIP archive, compressed while it is sent and no faster than it is taken. Node compresses, in a thread of its own. */
export async function* zipped(parts: Iterable<Part>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    ready.push(bytes)
  })
  for (const { path, text } of parts) {
    const file: ZipInputFile & { crc: number; size: number } = { filename: path, compression: 8, crc: 0, size: 0 }
    // Gives it the function that takes what was compressed.
    zip.add(file)
    const take = (bytes: Uint8Array, last: boolean) => file.ondata?.(null, bytes as Uint8Array<ArrayBuffer>, last)
    for await (const bytes of deflated(text, file)) {
      take(bytes, false)
      yield* ready.splice(0)
    }
    take(new Uint8Array(0), true)
    yield* ready.splice(0)
  }
  zip.end()
  yield* ready.splice(0)
}

// What the sizes in an archive can say.
const mostBytes = 0xffffffff

/** @param file counts what is compressed, and sums it up */
function deflated(text: Part['text'], file: { crc: number; size: number }): AsyncIterable<Uint8Array> {
  const deflate = createDeflateRaw()
  // What goes wrong is thrown to whoever takes the bytes.
  pipeline(counted, deflate, () => {})
  return deflate

  async function* counted() {
    for await (const one of text) {
      const bytes = Buffer.from(one)
      file.crc = crc32(bytes, file.crc)
      file.size += bytes.length
      if (file.size > mostBytes) throw new RangeError('The sheet is longer than the 4 GB of a file in an archive')
      yield bytes
    }
  }
}
