import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brandAsset, brandStyle, brandUrl } from './brand.js'

const colour = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`)
const luminance = (text: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(text.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (a: string, b: string) => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
const pair = (style: string, name: string) =>
  new RegExp(`--${name}:light-dark\\((#\\w{6}),(#\\w{6})\\)`).exec(style)?.slice(1) as [string, string]

describe('brand', () => {
  it('keeps a colour that can be read', () => {
    expect(pair(brandStyle('#0b6b7c'), 'accent')[0]).toBe('#0b6b7c')
  })
  it('makes any colour one that can be read, as text and below text, in both themes', () => {
    fc.assert(
      fc.property(colour, (accent) => {
        const style = brandStyle(accent)
        const [[light, dark], [onLight, onDark]] = [pair(style, 'accent'), pair(style, 'on-accent')]
        expect(contrast(light, '#f6f7f8')).toBeGreaterThanOrEqual(4.5)
        expect(contrast(dark, '#1e2328')).toBeGreaterThanOrEqual(4.5)
        const [lightTint, darkTint] = pair(style, 'accent-tint')
        expect(contrast(light, lightTint)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(dark, darkTint)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(light, onLight)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(dark, onDark)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })
  it('serves it under the hash of what it says, and under no other', () => {
    const brand = { name: 'B', logo: null, accent: '#7c3aed' }
    const place = { mount: '', prefix: { panel: 'admin', resource: 'resource', page: 'page' } }
    const [, hash] = /assets\/(\w+)\/brand\.css$/.exec(brandUrl(place, brand) ?? '') ?? []
    expect(brandAsset(brand, hash ?? '', 'brand.css')?.body).toBe(brandStyle('#7c3aed'))
    expect(brandAsset(brand, 'other', 'brand.css')).toBeNull()
    expect(brandUrl(place, { ...brand, accent: null })).toBeNull()
  })
})
