/** What is wrong with a name that stands in URLs: that of a resource, page, component, view or plugin; null: nothing. */
export function uriFault(name: unknown): string | null {
  return typeof name === 'string' && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name)
    ? null
    : `"${name}" must be lower-case letters, digits and hyphens`
}
