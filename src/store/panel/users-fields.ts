// The kinds of the users' fields that show nothing of what is stored.
import * as z from 'zod'
import { hashPassword, passwordLength } from '../../auth/password.js'
import { html } from '../../base/html.js'
import { controlAttributes, defineKind } from '../../field/kind.js'

/** Stores a hash of what is typed and never shows it: not in a form, in JSON or in a filter. */
export const passwordField = defineKind<string>({
  name: 'password',
  columns: ['text'],
  operators: [],
  long: true,
  secret: true,
  schema: () => z.string().min(passwordLength.min).max(passwordLength.max),
  value: (typed) => hashPassword(typed as string),
  wire: () => null,
  text: () => '',
  cell: () => html`&bull;&bull;&bull;&bull;&bull;&bull;`,
  input: (_, field, ctx) => html`<input type="password" value="" autocomplete="new-password"${controlAttributes(field, ctx)}>`,
})

/** Whether a user signs in with a code. What is stored is never shown, and only its user can put something there. */
export const twoFactorField = defineKind<string, Record<never, never>, 'null'>({
  name: 'twoFactor',
  columns: ['text'],
  operators: ['null'],
  schema: () => z.boolean(),
  wire: () => true,
  text: () => '1',
  cell: (_, __, ctx) => html`<span class="badge good">${ctx.t('twoFactor.on')}</span>`,
  input: (_, field, ctx) => html`<input type="checkbox" disabled${controlAttributes(field, ctx)}>`,
})
