import { describe, expect, it } from 'vitest'
import { german } from './german.js'
import { inSentence, messagesOf } from './language.js'
import { english, translator } from './messages.js'

const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place).sort()

describe('languages', () => {
  it('fills the same places in German as in English', () => {
    for (const key of Object.keys(english) as (keyof typeof english)[])
      expect([key, ...places(german[key])]).toEqual([key, ...places(english[key])])
  })
  it('speaks the language of a locale, and English for one that it does not know', () => {
    expect(translator(messagesOf('de-AT'))('form.save')).toBe('Speichern')
    expect(translator(messagesOf('fr'))('form.save')).toBe('Save')
    expect(translator(messagesOf('fr', { 'form.save': 'Enregistrer' }))('form.save')).toBe('Enregistrer')
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
