import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inSentence, languages, messagesOf } from './language.js'
import { english, translator } from './messages.js'

const src = new URL('../', import.meta.url)
const keys = Object.keys(english) as (keyof typeof english)[]
const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place).sort()

describe('languages', () => {
  it('are those that have a file', () => {
    expect(readdirSync(new URL('languages', src)).sort()).toEqual([...languages].map((code) => `${code}.json`).sort())
  })
  it.each([...languages])('have every text of English, in its order, with the same places: %s', (code) => {
    const texts = messagesOf(code)
    expect(Object.keys(texts)).toEqual(keys)
    for (const key of keys) expect([key, ...places(texts[key])]).toEqual([key, ...places(english[key])])
    expect(keys.filter((key) => texts[key].trim() === '')).toEqual([])
  })
  it('have no text that nothing says', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && path !== 'base/messages.ts',
    )
    const code = files.map((path) => readFileSync(new URL(path, src), 'utf8')).join('\n')
    const said = new Set([...code.matchAll(/'([\w.]+)'/g)].map(([, key]) => key))
    // As `history.${action}`.
    const begun = [...code.matchAll(/`(\w+\.)\$\{/g)].map(([, beginning]) => beginning as string)
    // Those of an import are its modes, and what these do.
    const made = ['import.']
    expect(keys.filter((key) => !said.has(key) && ![...begun, ...made].some((one) => key.startsWith(one)))).toEqual([])
  })
  it('writes French with its own spaces and apostrophes', () => {
    const plain = Object.values(messagesOf('fr')).filter((text) => /['"“”]| [:;!?»]|« |\p{L}[;!?»]|«\p{L}/u.test(text))
    expect(plain).toEqual([])
    expect(messagesOf('fr')['field.required']).toBe('{label}\u00a0: champ obligatoire')
    expect(messagesOf('fr')['confirm.one']).toBe('Supprimer «\u00a0{label}\u00a0»\u202f?')
  })
  it('speaks the language of a locale, and English for one that it does not know', () => {
    expect(translator(messagesOf('de-AT'))('form.save')).toBe('Speichern')
    expect(translator(messagesOf('fr-CA'))('form.save')).toBe('Enregistrer')
    expect(translator(messagesOf('nl'))('form.save')).toBe('Save')
    expect(translator(messagesOf('nl', { 'form.save': 'Opslaan' }))('form.save')).toBe('Opslaan')
  })
  it('writes labels small in a sentence, but for German nouns and abbreviations', () => {
    expect(['Title', 'Updated at', 'ISO code', 'ÉTAT', 'Île'].map((label) => inSentence(label, 'fr'))).toEqual([
      'title',
      'updated at',
      'ISO code',
      'ÉTAT',
      'île',
    ])
    expect(inSentence('Titel', 'de-AT')).toBe('Titel')
  })
})
