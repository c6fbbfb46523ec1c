import { isTimeZone } from '../field/zone.js'
import { defaultLimits } from '../http/limits.js'
import type { Say } from '../resource/problem.js'
import type { PanelSpec } from './spec.js'

/** What is wrong with settings that are a single value each. */
export function checkValues(spec: PanelSpec, say: Say): void {
  if (spec.id !== undefined && !/^[a-z0-9-]+$/.test(spec.id)) say('id', 'id', `"${spec.id}" must be lower-case letters, digits and hyphens`)
  if (spec.trustProxy && (!Number.isSafeInteger(spec.trustProxy) || spec.trustProxy < 0))
    say('trust-proxy', 'trustProxy', 'give the number of proxies')
  for (const origin of spec.cors ? spec.cors.origins : []) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      say('cors', 'cors.origins', `"${origin}" is not an origin, such as https://app.example.com`)
  }
  if (spec.brand?.accent && !/^#[0-9a-f]{6}$/i.test(spec.brand.accent))
    say('brand-accent', 'brand.accent', `"${spec.brand.accent}" is not a colour of the form #rrggbb`)
  if (spec.timeZone !== undefined && !isTimeZone(spec.timeZone)) say('time-zone', 'timeZone', `"${spec.timeZone}" is not an IANA time zone`)
  if (spec.locale !== undefined && !isLocale(spec.locale))
    say('locale', 'locale', `"${spec.locale}" is not a BCP 47 language tag, such as en or pt-BR`)
  if (spec.url !== undefined && !/^https?:\/\//i.test(spec.url))
    say('url', 'url', `"${spec.url}" is not an absolute URL with http or https`)
  for (const [name, text] of Object.entries(spec.prefix ?? {})) {
    if (!['panel', 'resource', 'page'].includes(name)) say('prefix', `prefix.${name}`, 'unknown prefix. Valid: panel, resource, page')
    else if (typeof text !== 'string' || !(/^[\w-]+$/.test(text) || (text === '' && name === 'panel')))
      say('prefix', `prefix.${name}`, `"${text}" is not a path segment: letters, digits, - and _`)
  }
  for (const [name, most] of Object.entries(spec.limits ?? {})) {
    if (!Object.hasOwn(defaultLimits, name))
      say('limits', `limits.${name}`, `unknown limit. Valid: ${Object.keys(defaultLimits).join(', ')}`)
    else if (!Number.isSafeInteger(most) || most < 1) say('limits', `limits.${name}`, `${most} must be a whole number of at least 1`)
  }
  if (spec.secret !== undefined && (typeof spec.secret !== 'string' || spec.secret.trim() === ''))
    say('secret', 'secret', 'is blank: leave it out, and the panel makes one and keeps it')
}

function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1
  } catch {
    return false
  }
}
