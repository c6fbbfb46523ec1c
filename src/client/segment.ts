/**
 * A key or a name as a segment of a path.
 *
 * @throws TypeError for one that no URL can end in: the request would go to another path, such as that of the list
 */
export function segmentOf(name: string | number): string {
  // Encoding does not help: `%2E` is resolved like a dot.
  if (/^\.{0,2}$/.test(String(name))) throw new TypeError(`"${name}" has no address: no URL can end in it`)
  return encodeURIComponent(name)
}
