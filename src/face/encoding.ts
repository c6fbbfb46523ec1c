/** Whether an `Accept-Encoding` header accepts an encoding. */
export function takes(accepted: string, encoding: string): boolean {
  const range = accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(';'))
    .find(([name]) => name === encoding)
  return range !== undefined && !/^\s*q=0(?:\.0*)?\s*$/.test(range[1] ?? '')
}
