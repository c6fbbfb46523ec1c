import type { Plan } from '../plan.js'

/** A statement and values of it, as a key. Distinct ones have distinct keys. */
export function statementKey({ id }: Plan, values: readonly unknown[]): string {
  return `${id} ${values.map(textOf).join()}`
}

function textOf(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : Buffer.isBuffer(value)
      ? `x${value.toString('hex')}`
      : `${typeof value} ${String(value)}`
}
