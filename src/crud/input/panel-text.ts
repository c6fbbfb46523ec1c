import type { Input } from '../call/input.js'

/** The value of one of the panel's own form fields (`_once`, `_then`, `_confirmed` …); empty: not sent. */
export function panelText({ body }: Pick<Input, 'body'>, name: `_${string}`): string {
  return body.from === 'form' ? (body.panel.get(name)?.at(-1) ?? '') : ''
}

/** The value of one of the panel's own parameters, from the query or the body; empty: not sent. */
export function panelParameter({ query, body }: Pick<Input, 'query' | 'body'>, name: `_${string}`): string {
  const given = body.from === 'form' ? body.panel.get(name)?.at(-1) : body.from === 'json' ? body.fields.get(name) : undefined
  // Not every object has a text, and neither they nor null say anything here.
  const said = typeof given === 'object' ? '{}' : given
  return String((said === true ? 1 : said) ?? query.get(name)?.at(-1) ?? '')
}
