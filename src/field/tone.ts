/** The tone of a message or a badge: one colour for each meaning. */
export type Tone = 'info' | 'good' | 'warn' | 'bad'

/** Every tone. */
export const tones: readonly Tone[] = ['info', 'good', 'warn', 'bad']
