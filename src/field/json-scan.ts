import type { Translate } from '../base/messages.js'
import { shown } from '../base/shown.js'

/** What `JSON.parse` accepts silently, and where: the name in the outermost object (empty: none), and the offending name or number. */
export interface FaultAt {
  readonly fault: 'deep' | 'twice' | 'notExact' | 'notFinite' | 'nul' | 'surrogate'
  readonly name: string
  readonly text: string
}

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket, minus, zero, nine] = [...'"\\,{}[]-09'].map((char) =>
  char.charCodeAt(0),
)

/**
 * One pass over valid JSON for what `JSON.parse` doesn't report: duplicate names, deep nesting, numbers that it rounds, text that no
 * database can store.
 *
 * @param text valid JSON: `JSON.parse` has taken it
 * @param refuse called with the first fault; it must throw
 */
export function scanJson(text: string, maxDepth: number, refuse: (at: FaultAt) => never): void {
  // One entry for each open object or array: the names seen in it, or null for an array.
  const open: (Set<string> | null)[] = []
  let name = ''
  // Whether a string at this position would be a name, if we are in an object.
  let nameNext = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === quote) {
      const end = closingQuote(text, i)
      const string = text.slice(i, end + 1)
      const plain = string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1)
      i = end
      const names = open.at(-1)
      if (nameNext && names) {
        if (open.length === 1) name = plain
        if (names.has(plain)) refuse({ fault: 'twice', name, text: plain })
        names.add(plain)
        nameNext = false
      }
      // Only an escape can produce either: the text itself is valid UTF-8, and JSON forbids a literal NUL.
      if (plain.length !== string.length - 2) {
        if (plain.includes('\0')) refuse({ fault: 'nul', name, text: plain })
        if (!plain.isWellFormed()) refuse({ fault: 'surrogate', name, text: plain })
      }
    } else if (char === openBrace || char === openBracket) {
      if (open.length === maxDepth) refuse({ fault: 'deep', name, text: '' })
      nameNext = true
      open.push(char === openBrace ? new Set() : null)
    } else if (char === closeBrace || char === closeBracket) {
      open.pop()
    } else if (char === comma) {
      nameNext = true
    } else if (char === minus || isDigit(char)) {
      const end = endOfNumber(text, i)
      checkNumber(text.slice(i, end), name, refuse)
      i = end - 1
    }
  }
}

/** The fault as a text for the user. */
export function faultText({ fault, text }: FaultAt, maxDepth: number, t: Translate): string {
  if (fault === 'deep') return t('body.tooDeep', { max: maxDepth })
  if (fault === 'twice') return t('body.twice', { name: shown(text) })
  if (fault === 'notExact') return t('body.notExact', { number: shown(text) })
  if (fault === 'notFinite') return t('body.notFinite', { number: shown(text) })
  return fault === 'nul' ? t('text.nul') : t('text.surrogate')
}

function isDigit(char: number): boolean {
  return char >= (zero as number) && char <= (nine as number)
}

function closingQuote(text: string, start: number): number {
  for (let i = start + 1; ; i++) {
    const char = text.charCodeAt(i)
    if (char === backslash) i++
    else if (char === quote) return i
  }
}

const numberChar = /[\d+\-.eE]/

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && numberChar.test(text[end] as string)) end++
  return end
}

function checkNumber(token: string, name: string, refuse: (at: FaultAt) => never): void {
  const value = Number(token)
  if (!Number.isFinite(value)) refuse({ fault: 'notFinite', name, text: token })
  if (Number.isInteger(value) && !isWhole(token, value)) refuse({ fault: 'notExact', name, text: token })
}

/**
 * Whether the text of a number that `JSON.parse` returned as a whole one was that number: not a fraction too fine for a double, one so
 * small that it became 0, or an integer beyond the safe range.
 */
function isWhole(token: string, value: number): boolean {
  // A client that has read a double writes it back like this. Columns with exact integers refuse unsafe ones themselves.
  if (token === String(value)) return true
  // No part of this pattern can backtrack: a number may be as long as the whole body.
  const [, whole = '', fraction = '', exponent] = /^-?(\d+)(?:\.(\d*))?(?:[eE](.+))?$/.exec(token) ?? []
  // An exponent implies rounding, so here only a number that became 0 is refused.
  if (exponent !== undefined) return value !== 0 || /^0*$/.test(whole + fraction)
  return /^0*$/.test(fraction) && Number.isSafeInteger(value)
}
