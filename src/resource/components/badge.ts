import type { Badge, Common, Tone } from '../component.js'
import type { Reading } from '../figure.js'

/** A state as a word or a number. `tone` defaults to `info`, `label` to none. */
export function badge(
  spec: Common & { readonly name: string; readonly value: Reading; readonly label?: string; readonly tone?: Tone },
): Badge {
  return Object.freeze({ ...spec, is: 'badge', label: spec.label ?? null, tone: spec.tone ?? 'info' })
}
