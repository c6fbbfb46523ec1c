/** A time of day as it is sent and stored. */
export const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/

// PostgreSQL keeps microseconds.
const storedTime = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/

/** Whether a stored text is a time of day. */
export const isTime = (text: string): boolean => storedTime.test(text)

/** A time with its seconds: texts of this form are in the order of the times. */
export const inFull = (time: string): string => (time.length === 5 ? `${time}:00` : time)

/** A time with its seconds, or with those that it has. */
export const written = (time: string, seconds: boolean): string => (seconds ? inFull(time) : time.replace(/^(.{5}):00(?:\.0+)?$/, '$1'))
