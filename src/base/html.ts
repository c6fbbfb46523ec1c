declare const safe: unique symbol

/** Markup that is safe to send. Make it with `html`, which escapes every value, or with `raw`, if you vouch for the markup. */
export class Html {
  declare readonly [safe]: true
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  /** The markup as text. */
  toString(): string {
    return this.#text
  }
}

/** What a template takes: text is escaped, arrays print their items, and `null`, `undefined` and booleans print nothing. */
export type Printable = Html | string | number | bigint | boolean | null | undefined | readonly Printable[]

// Includes the punctuation and symbols that texts in all languages share (… – “ → ·). A single literal one makes V8 store the whole page
// with two bytes per character, and building and encoding it then takes nearly four times as long. Letters are not included: there are too
// many of them, and references would be longer.
const special = /["&'<>\u00a0-\u00bf\u00d7\u00f7\u2000-\u2bff]/
const all = new RegExp(special, 'g')
const wide = /[\u0100-\uffff]/
const escapes: Record<string, string> = { '"': '&quot;', '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;' }

/**
 * Escapes text for element content and quoted attribute values alike. Punctuation and symbols beyond ASCII become character references,
 * which mean the same.
 */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text
  const escaped = text.replace(all, (char) => (escapes[char] ??= `&#${char.charCodeAt(0)};`))
  // V8 keeps a two-byte string in two bytes even if it no longer needs them; the round trip makes a one-byte string.
  return wide.test(text) && !wide.test(escaped) ? Buffer.from(escaped, 'latin1').toString('latin1') : escaped
}

/** The printable as escaped text. */
function print(value: Printable): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (value instanceof Html) return value.toString()
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) {
    let out = ''
    for (const item of value) out += print(item)
    return out
  }
  return ''
}

/**
 * Makes markup from a template. It escapes every value that you insert, wherever it is; put attribute values in quotes.
 *
 * @example
 * ```ts
 * import { html } from 'daymark'
 *
 * const name = '<script>'
 * export const cell = html`<b title="${name}">${name}</b>`
 * ```
 */
export function html(strings: TemplateStringsArray, ...values: readonly Printable[]): Html {
  return filledIn(strings, values)
}

function filledIn(strings: readonly string[], values: readonly Printable[]): Html {
  let out = strings[0] as string
  for (let i = 0; i < values.length; i++) out += print(values[i]) + (strings[i + 1] as string)
  return new Html(out)
}

const joined = new WeakMap<TemplateStringsArray, readonly string[]>()

/**
 * Makes markup as `html` does, from a template over several lines. A line break and what the next line is indented by print nothing, and a
 * space before an attribute. Before a value they print nothing there, either: one that prints attributes begins with a space.
 */
export function block(strings: TemplateStringsArray, ...values: readonly Printable[]): Html {
  let known = joined.get(strings)
  if (!known) {
    known = joinedLines(strings)
    joined.set(strings, known)
  }
  return filledIn(known, values)
}

function joinedLines(strings: readonly string[]): readonly string[] {
  let [inTag, inQuotes] = [false, false]
  return strings.map((text) =>
    text.replace(/"|<(?=[a-z/!])|>|\n */gi, (found, at: number) => {
      if (found === '"') inQuotes = inTag && !inQuotes
      else if (found === '<') inTag = true
      else if (found === '>') inTag &&= inQuotes
      else return inTag && !['>', undefined].includes(text[at + found.length]) ? ' ' : ''
      return found
    }),
  )
}

/** Makes markup from text without escaping it. Only pass what you vouch for, never anything that a person wrote. */
export function raw(markup: string): Html {
  return new Html(markup)
}

/**
 * Attributes of an element, as callbacks such as `trAttributes` return them. `true` prints the bare name; `false`, `null` and `undefined`
 * print nothing.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

// Names that the HTML syntax forbids, names that would run script under a lax content security policy, and `style`, which ours forbids.
const badName = /[\s"'<>/=\u0000-\u001f\u007f]|^on|^srcdoc$|^style$/i
const urlName = /^(?:href|src|action|formaction|poster|data|xlink:href)$/i

/**
 * Prints attributes, each preceded by a space. Values are escaped; an unsafe URL in `href`, `src` and the like becomes `#`.
 *
 * @throws TypeError for a name that HTML forbids, one that could carry script (`onclick`, `srcdoc`), or `style`
 */
export function attributes(bag: Attributes): Html {
  let out = ''
  for (const [name, value] of Object.entries(bag)) {
    if (value === false || value === null || value === undefined) continue
    if (name === '' || badName.test(name)) throw new TypeError(`"${name}" cannot be an attribute`)
    if (value === true) out += ` ${name}`
    else out += ` ${name}="${escapeHtml(urlName.test(name) ? safeUrl(String(value)) : String(value))}"`
  }
  return new Html(out)
}

/**
 * Lays the attributes that a callback such as `trAttributes` returns over an element's own. Classes are added, `null` or `false` removes an
 * attribute, and the `needed` attributes stay as they are.
 */
export function laidOver(own: Attributes, given: Attributes, needed: readonly string[]): Attributes {
  const kept = Object.fromEntries(needed.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])))
  const classes = [own.class, given.class].flatMap((one) => (typeof one === 'string' ? one.split(/\s+/) : []))
  const all = [...new Set(classes.filter(Boolean))].join(' ')
  return { ...own, ...given, ...kept, class: all === '' ? null : all }
}

/** Returns the URL if it is safe as a link (http, https, mailto, tel or relative), else `#`. */
export function safeUrl(url: string): string {
  // Browsers drop tabs and line breaks inside a scheme, and spaces before it.
  const bare = url.replace(/[\u0000-\u0020\u007f]/g, '')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)
  if (!scheme) return url
  return /^(?:https?|mailto|tel)$/i.test(scheme[1] as string) ? url : '#'
}
