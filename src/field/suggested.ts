import { type Html, html } from '../base/html.js'
import { a, type Setting } from '../base/setting.js'

/** Texts to offer; a function is called once, when they are first needed. */
export type Suggestions = readonly string[] | (() => readonly string[])

/** What `suggestions` may be given. */
export const someSuggestions: Setting = a.either(a.list(a.text), a.function)

/** What gives them. */
export function givenSuggestions(texts: Suggestions): () => readonly string[] {
  let given: readonly string[] | undefined = typeof texts === 'function' ? undefined : Object.freeze([...texts])
  return () => {
    given ??= (texts as () => readonly string[])()
    return given
  }
}

/** What an input with `list="{id}"` offers. */
export function suggested(id: string, texts: readonly string[]): Html {
  return html`<datalist id="${id}">${texts.map((text) => html`<option value="${text}">`)}</datalist>`
}
