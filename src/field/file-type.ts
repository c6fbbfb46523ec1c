import { extensionOf } from './file-name.js'

/**
 * The types of the files that a browser shows or plays by itself. Anything else is saved: HTML and SVG may contain scripts (OWASP ASVS
 * 5.4), and would run in the panel's origin.
 */
const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
  txt: 'text/plain; charset=utf-8',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
}

/** The type of a file by its name; null: no browser should show it. */
export function fileType(name: string): string | null {
  const extension = extensionOf(name)
  return Object.hasOwn(types, extension) ? (types[extension] as string) : null
}

/** How a page plays a file; null: it doesn't. */
export function played(name: string): 'audio' | 'video' | null {
  const [kind] = fileType(name)?.split('/') ?? []
  return kind === 'audio' || kind === 'video' ? kind : null
}
