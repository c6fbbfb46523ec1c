import * as z from 'zod'
import type { Home } from '../../crud/outcomes/pages.js'
import type { PresenterContext } from '../../face/face.js'
import { url } from '../../route/url.js'
import { message } from './values.js'

/** The JSON of answers that are about no resource: the first page, health and plain messages. */

export const homeSchema = z.strictObject({
  data: z.array(z.strictObject({ uriKey: z.string(), title: z.string(), url: z.string() })),
})

export function homeBody({ resources }: Home, { place }: PresenterContext): z.infer<typeof homeSchema> {
  return { data: resources.map(({ uriKey, title }) => ({ uriKey, title, url: url(place, 'crud.index', { resourceUri: uriKey }) })) }
}

export const healthSchema = z.strictObject({ status: z.literal('ok') })

export const messageSchema = z.strictObject({ message })
