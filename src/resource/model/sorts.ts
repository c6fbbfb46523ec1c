import { Html } from '../../base/html.js'
import { a, type Setting } from '../../base/setting.js'

/** What settings hold that other functions make, each with what makes it. */
export const aResource: Setting = a.either(madeWith('a resource', 'uriKey'), a.text)
export const aPage: Setting = madeWith('a page, as definePage() returns it', 'uri', 'components')
export const aComponent: Setting = madeWith('a component, such as heading()', 'is')
export const aCondition: Setting = { ...a.object, is: ['a condition, such as { state: "open" }'] }
export const markup: Setting = a.sort('markup of html', (given) => given instanceof Html)

/** An object that has these, as the functions that make it give it. */
export function madeWith(is: string, ...names: readonly string[]): Setting {
  return a.sort(is, (given) => typeof given === 'object' && given !== null && names.every((name) => name in given))
}
