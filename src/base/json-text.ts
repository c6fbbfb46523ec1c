const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

/** A value as `JSON.stringify` writes it in a list, where it writes null for what JSON has not. Most values need nothing of what that looks at. */
export function jsonText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return escaped.test(value) ? JSON.stringify(value) : `"${value}"`
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      return value === null ? 'null' : (JSON.stringify(value) ?? 'null')
  }
}
