/** The tone of a message or a badge: one colour for each meaning. */
export type Tone = 'info' | 'good' | 'warn' | 'bad'

/** The colour of a value in charts: that of its tone, or for a further value of the same tone a second one. */
export type Shade = Tone | 'plain' | `${Tone | 'plain'}-2`

/** Every tone. */
export const tones: readonly Tone[] = ['info', 'good', 'warn', 'bad']
