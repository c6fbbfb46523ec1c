import { createHash } from 'node:crypto'
import type { Brand } from '../../face/brand.js'
import type { Reply } from '../../face/face.js'
import { type Place, url } from '../../route/url.js'

type Rgb = readonly [red: number, green: number, blue: number]

// The surface of each theme on which an accent has the least contrast.
const surfaces = { light: [246, 247, 248], dark: [30, 35, 40] } as const satisfies Record<string, Rgb>
const white: Rgb = [255, 255, 255]
const black: Rgb = [8, 12, 16]
const tints = {
  light: (colour: Rgb) => mix(colour, white, 0.9),
  dark: (colour: Rgb) => mix(colour, [21, 25, 29], 0.82),
}
const file = 'brand.css'

/** The URL of the panel's own colours; null if it has none. */
export function brandUrl(place: Place, { accent }: Brand): string | null {
  return accent === null ? null : url(place, 'assets', { hash: hashOf(accent), file })
}

/** The panel's own colours as a stylesheet, since the policy forbids inline styles. */
export function brandAsset({ accent }: Brand, hash: string, name: string): Reply | null {
  if (accent === null || name !== file || hash !== hashOf(accent)) return null
  return {
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
    body: brandStyle(accent),
  }
}

/** The accent and its variants for both themes, darkened or lightened until they are readable (WCAG 2.2, 1.4.3: 4.5:1). */
export function brandStyle(accent: string): string {
  const light = readable(rgb(accent), black, surfaces.light, tints.light)
  const dark = readable(rgb(accent), white, surfaces.dark, tints.dark)
  const pairs: readonly (readonly [string, Rgb, Rgb])[] = [
    ['accent', light, dark],
    ['accent-strong', mix(light, black, 0.25), mix(dark, white, 0.25)],
    ['accent-tint', tints.light(light), tints.dark(dark)],
    ['on-accent', on(light), on(dark)],
  ]
  return `:root{${pairs.map(([name, a, b]) => `--${name}:light-dark(${hex(a)},${hex(b)})`).join(';')}}`
}

function hashOf(accent: string): string {
  return createHash('sha256').update(brandStyle(accent)).digest('hex').slice(0, 12)
}

/** The colour, mixed until it is readable on a surface, and on its own tint, as in the menu. */
function readable(colour: Rgb, towards: Rgb, surface: Rgb, tint: (colour: Rgb) => Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = mix(colour, towards, share)
    if (contrast(mixed, surface) >= 4.5 && contrast(mixed, tint(mixed)) >= 4.5) return mixed
  }
  return towards
}

function on(colour: Rgb): Rgb {
  return contrast(white, colour) >= contrast(black, colour) ? white : black
}

function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * share)
  return [at(0), at(1), at(2)]
}

function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function rgb(text: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as unknown as Rgb
}

function hex(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
