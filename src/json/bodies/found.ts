import * as z from 'zod'
import type { Found, Palette } from '../../crud/outcomes/found.js'
import type { PresenterContext } from '../../face/face.js'
import { targetsOf } from '../../face/targets.js'

/** The JSON of what is found by typing. */

export const choiceSchema = z.strictObject({
  key: z.string(),
  label: z.string(),
  hint: z
    .string()
    .optional()
    .meta({ description: 'What tells it from others of the same label, or why it was found although its label does not say so.' }),
})

export const foundSchema = z.strictObject({ data: z.array(choiceSchema) })

export function foundBody({ choices }: Found): z.infer<typeof foundSchema> {
  return { data: [...choices] }
}

export const paletteSchema = z.strictObject({
  data: z.array(
    z.strictObject({
      kind: z.enum(['list', 'page', 'record']),
      group: z.string(),
      label: z.string(),
      url: z.string(),
      hint: z.string().optional(),
    }),
  ),
})

/** The targets of the command palette, in the order in which it shows them. */
export function paletteBody(palette: Palette, at: PresenterContext): z.infer<typeof paletteSchema> {
  return { data: [...targetsOf(palette, at)] }
}
