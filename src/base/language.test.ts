import { describe, expect, it } from 'vitest'
import { catalogues, inSentence, messagesOf } from './language.js'
import { english, translator } from './messages.js'

const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place).sort()

describe('languages', () => {
  it.each(Object.entries(catalogues).filter(([code]) => code !== 'en'))('fills the same places as English: %s', (_, messages) => {
    for (const key of Object.keys(english) as (keyof typeof english)[])
      expect([key, ...places(messages[key])]).toEqual([key, ...places(english[key])])
  })
  it('writes French with its own spaces and apostrophes', () => {
    const plain = Object.values(catalogues.fr ?? {}).filter((text) => /['"“”]| [:;!?»]|« |\p{L}[;!?»]|«\p{L}/u.test(text))
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
