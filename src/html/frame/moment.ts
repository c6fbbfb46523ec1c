import type { PresenterContext } from '../../face/face.js'
import { remembered } from '../../field/remembered.js'

const formats = remembered((locale: string) =>
  remembered((timeZone: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })),
)

/** A day and its time to the minute, as the user reads it. */
export function moment(instant: Date, { realm: { locale, timeZone } }: PresenterContext): string {
  return formats(locale)(timeZone).format(instant)
}
