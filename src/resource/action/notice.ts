import { type Tone, tones } from '../../field/tone.js'

/** The id of a user: the key in the panel's table of users, or in that of the application. */
export type UserId = string | number | bigint

/** What users of the panel are told. */
export interface Notice {
  /**
   * Whom: a user or several, by their ids, or all who have a role. Whoever does not exist, or may not sign in, is left out.
   */
  readonly to: UserId | readonly UserId[] | { readonly role: string | readonly string[] }
  /** What they read, as plain text in one paragraph. Of more than 500 characters, the first are kept. */
  readonly text: string
  /** How it looks. Default: as any text. */
  readonly tone?: Tone
  /** Where it leads: a path of the panel's host, as `panel.route()` returns it, or an `http:` or `https:` URL. Default: nowhere. */
  readonly link?: string
}

/** A notice without whom it is to. */
export type UntoldNotice = Omit<Notice, 'to'>

/**
 * Notifies users. In a hook, and in an action that is a transaction, they are notified if it commits, provided that its records are in the
 * database of the panel's users; otherwise at once.
 *
 * @throws TypeError for a notice without text or with a wrong link; Error if the panel has no `notifications`
 */
export type Notify = (notice: Notice) => Promise<void>

/** A notice as it is kept, but for whom it is. */
export interface PlainNotice {
  readonly text: string
  readonly tone: Tone | null
  readonly link: string | null
}

export const isRoles = (to: Notice['to']): to is Extract<Notice['to'], { readonly role: unknown }> =>
  typeof to === 'object' && to !== null && 'role' in to

const longest = 500
const longestLink = 2000

/** @throws TypeError for what nobody could be told */
export function plainNotice({ to, text, tone, link }: Notice): PlainNotice {
  const named: readonly unknown[] = isRoles(to) ? [to.role].flat() : [to].flat()
  if (!named.every((one) => typeof one === 'string' || (!isRoles(to) && (typeof one === 'number' || typeof one === 'bigint'))))
    throw new TypeError('A notice is to users by their ids, or to those of a role: { role }')
  const plain =
    typeof text === 'string'
      ? text
          .toWellFormed()
          .replace(/[\0-\x1f\x7f]+/g, ' ')
          .trim()
      : ''
  if (plain === '') throw new TypeError('A notice needs a text')
  if (tone !== undefined && !tones.includes(tone)) throw new TypeError(`"${tone}" is no tone of a notice. Valid: ${tones.join(', ')}`)
  if (link !== undefined && !isLink(link)) throw new TypeError('The link of a notice is a path of this host, or an http or https URL')
  return { text: cut(plain), tone: tone ?? null, link: link ?? null }
}

/** Browsers read `\` as `/` and drop tabs and line ends, so neither those nor other control characters may occur. */
function isLink(link: unknown): link is string {
  if (typeof link !== 'string' || link.length > longestLink || /[\\\0-\x20\x7f]/.test(link) || !link.isWellFormed()) return false
  return link.startsWith('/') ? !link.startsWith('//') : /^https?:\/\//i.test(link) && URL.canParse(link)
}

/** At the end of a character. */
function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
