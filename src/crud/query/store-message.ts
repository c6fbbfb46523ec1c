import type { Translate } from '../../base/messages.js'
import { storeTexts } from '../../resource/model/store-texts.js'

/** What a store says of a field, with its label and in the caller's language; null: there are no words for it but the store's. */
export function storeMessage(text: string, label: string, t: Translate): string | null {
  const key = texts.get(text)
  return key === undefined ? null : t(key, { label })
}

const texts = new Map(
  Object.entries({
    [storeTexts.required]: 'field.required',
    [storeTexts.notText]: 'field.notText',
    [storeTexts.notInteger]: 'field.notInteger',
    [storeTexts.notNumber]: 'field.notNumber',
    [storeTexts.notBoolean]: 'field.notBoolean',
    [storeTexts.notJson]: 'field.notJson',
    [storeTexts.notTime]: 'field.notDateTime',
    [storeTexts.refusedValue]: 'field.refused',
    [storeTexts.notAddress]: 'field.notAddress',
    [storeTexts.notNetwork]: 'field.notNetwork',
    [storeTexts.notMac]: 'field.notMac',
    [storeTexts.notInterval]: 'field.notInterval',
    [storeTexts.tooFine]: 'field.tooFine',
  } as const),
)
