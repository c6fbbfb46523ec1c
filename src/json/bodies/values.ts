import * as z from 'zod'

/** What several answers hold. */

export const message = z.string()
export const time = z.iso.datetime()
