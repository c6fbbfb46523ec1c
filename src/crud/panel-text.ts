import type { Input } from './call.js'

/** What a form sent under one of the panel's own names (`_once`, `_then`, `_confirmed` …); empty where it sent none. */
export function panelText({ body }: Pick<Input, 'body'>, name: `_${string}`): string {
  return body.from === 'form' ? (body.panel.get(name)?.at(-1) ?? '') : ''
}

/** What stands under one of the panel's own names, in the query or in the body. */
export function panelParameter({ query, body }: Pick<Input, 'query' | 'body'>, name: `_${string}`): string {
  const given = body.from === 'form' ? body.panel.get(name)?.at(-1) : body.from === 'json' ? body.fields.get(name) : undefined
  return String((given === true ? 1 : given) ?? query.get(name)?.at(-1) ?? '')
}
