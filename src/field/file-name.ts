/** The name of a stored file: the last segment of its path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The extension of a file's name, in lower case and without its dot; empty: it has none. */
export function extensionOf(name: string): string {
  return /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

// File systems take 255 bytes.
const longest = 100
// What is longer is a part of a name that has a dot.
const longestExtension = 16

/**
 * A file's name as it is stored: without what file systems, shells and links take for something else.
 *
 * @param most the most characters
 */
export function safeFileName(given: string, most = longest): string {
  const name = given
    .toWellFormed()
    .normalize('NFC')
    // A line break is a character like any other.
    .replace(/^.*[/\\]/s, '')
    // Control characters, those that only direct text, and what Windows refuses.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}<>:"|?*%\ufffd]+/gu, '')
    .replace(/\s+/g, ' ')
    // Looking behind, a run of dots within the name is tried once, and not from each of them.
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '')
  const named = extensionOf(name)
  const extension = Buffer.byteLength(named) > longestExtension ? '' : named
  const end = extension === '' ? '' : `.${extension}`
  const stem = extension === '' ? name : name.slice(0, -end.length)
  return shortened(stem === '' ? 'file' : stem, Math.min(most, longest) - end.length) + end
}

/** Its first characters, as many as fit into so many bytes of UTF-8: a character is never cut. */
function shortened(text: string, bytes: number): string {
  let short = ''
  let length = 0
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    short += character
  }
  return short.replace(/[. ]+$/, '') || 'file'
}
