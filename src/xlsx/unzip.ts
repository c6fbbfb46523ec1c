import { unzipSync } from 'fflate'

/** Thrown for what is no archive. */
export class NotZip extends Error {}

/** Thrown for files that would be too large. */
export class TooLarge extends Error {}

/** The text of a file in an archive, by its path; null: there is none. */
export type ReadPart = (path: string) => string | null

// No workbook that people make has as many.
const mostFiles = 10_000

/**
 * Opens a ZIP archive. What its files say of their sizes is believed: one that is longer is cut there, and then is no XML.
 *
 * @param most the most bytes of all files that are read together
 */
export function opened(archive: Uint8Array, most: number): ReadPart {
  let left = most
  return (path) => {
    let count = 0
    const filter = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }) => {
      if (++count > mostFiles) throw new NotZip()
      if (name !== path) return false
      left -= originalSize
      if (left < 0) throw new TooLarge()
      return true
    }
    const bytes = new Map(Object.entries(unzipped(archive, filter))).get(path)
    return bytes === undefined ? null : textOf(bytes)
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (thrown) {
    throw new NotZip('', { cause: thrown })
  }
}

function unzipped(archive: Uint8Array, filter: (file: { readonly name: string; readonly originalSize: number }) => boolean) {
  try {
    return unzipSync(archive, { filter })
  } catch (thrown) {
    if (thrown instanceof TooLarge) throw thrown
    throw new NotZip('', { cause: thrown })
  }
}
