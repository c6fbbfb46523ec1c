import { isIP, isIPv4 } from 'node:net'
import { storeTexts } from './store-texts.js'

/** What is wrong with a text for a type of PostgreSQL that takes texts of one form, and compares what they mean; null: nothing. */
export const textFormFaults: Readonly<Record<string, (text: string) => string | null>> = {
  PgInet: (text) => (addressIn(text) ? null : storeTexts.notAddress),
  PgCidr: (text) => (isNetwork(text) ? null : storeTexts.notNetwork),
  PgMacaddr: (text) => (isMac(text, 12) ? null : storeTexts.notMac),
  PgMacaddr8: (text) => (isMac(text, 12) || isMac(text, 16) ? null : storeTexts.notMac),
  PgInterval: (text) => (spoken.test(text) || iso.test(text) ? null : storeTexts.notInterval),
}

/** Whether a column of texts has one of these types. */
export const hasTextForm = ({ drizzle }: { readonly drizzle: { readonly columnType: string } }): boolean =>
  drizzle.columnType in textFormFaults

interface Address {
  readonly host: string
  /** How many of its bits name the network; null: it does not say. */
  readonly prefix: number | null
}

function addressIn(text: string): Address | null {
  const [host = '', prefix] = text.split(/\/(?=\d{1,3}$)/)
  // PostgreSQL knows no scope, as in fe80::1%eth0.
  if (isIP(host) === 0 || host.includes('%')) return null
  return Number(prefix ?? 0) <= (isIPv4(host) ? 32 : 128) ? { host, prefix: prefix === undefined ? null : Number(prefix) } : null
}

/** Whether it is an address whose bits behind those of the network are all 0. */
function isNetwork(text: string): boolean {
  const address = addressIn(text)
  return address !== null && (address.prefix === null || !bitsOf(address.host).slice(address.prefix).includes('1'))
}

function bitsOf(host: string): string {
  if (isIPv4(host)) return inBits(host.split('.').map(Number), 8)
  const groups = (part: string) =>
    part.split(':').flatMap((one) => (one === '' ? [] : isIPv4(one) ? halves(one) : Number.parseInt(one, 16)))
  const [before = [], after = []] = host.split('::').map(groups)
  return inBits([...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after], 16)
}

function halves(host: string): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0] = host.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

const inBits = (parts: readonly number[], bits: number) => parts.map((part) => part.toString(2).padStart(bits, '0')).join('')

/** Pairs of digits with one sign between them, or fours with dots, or nothing between them. */
function isMac(text: string, digits: number): boolean {
  const bare = text.replace(/[:.-]/g, '')
  return bare.length === digits && /^(?:[\da-f]{2}([:-])(?:[\da-f]{2}\1)*[\da-f]{2}|(?:[\da-f]{4}\.)+[\da-f]{4}|[\da-f]+)$/i.test(text)
}

// As PostgreSQL writes them, and as people do: 1 year 2 mons -3 days 04:05:06.7, 90 minutes. With fewer digits than it could hold.
const unit = '(?:years?|mons?|months?|weeks?|days?|hours?|mins?|minutes?|secs?|seconds?)'
const amount = `[+-]?\\d{1,6}(?:\\.\\d{1,6})? ?${unit}`
const clock = '[+-]?\\d{1,8}:[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,6})?)?'
const spoken = new RegExp(`^(?:${amount}(?: ${amount})*(?: ${clock})?|${clock})$`, 'i')
const iso = /^P(?=[\dT+-])(?:[+-]?\d{1,6}[YMWD])*(?:T(?:[+-]?\d{1,6}(?:\.\d{1,6})?[HMS])+)?$/
