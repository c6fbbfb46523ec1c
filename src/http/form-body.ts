import { DaymarkError, invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { shown } from '../base/shown.js'
import type { Body } from '../crud/call.js'
import { multipart } from './multipart.js'
import { pairs } from './pairs.js'
import { checkText, textOf } from './text.js'

/** Reads an urlencoded body. */
export function readUrlencoded(bytes: Uint8Array, most: number, t: Translate): Body {
  return formOf(
    pairs(textOf(bytes, t), () => {
      throw new DaymarkError('malformed', t('body.notForm'))
    }),
    most,
    t,
  )
}

/** Reads a multipart body of text parts. A file is refused, naming its field. */
export function readMultipart(bytes: Uint8Array, boundary: string, most: number, t: Translate): Body {
  return formOf(texts(), most, t)

  function* texts() {
    for (const { name, file, content } of multipart(bytes, boundary, malformed)) {
      const field = textOf(name, t)
      if (file) throw invalid(shown(field), t('body.file'))
      yield [field, textOf(content, t)] as const
    }
  }
  function malformed(): never {
    throw new DaymarkError('malformed', t('body.notForm'))
  }
}

/** Names that begin with `_` belong to the panel and never reach a record. */
function formOf(given: Iterable<readonly [name: string, text: string]>, most: number, t: Translate): Body {
  const fields = new Map<string, string[]>()
  const panel = new Map<string, string[]>()
  for (const [name, text] of given) {
    checkText(name, text, t)
    const into = name.startsWith('_') ? panel : fields
    const texts = into.get(name)
    if (texts) {
      texts.push(text)
      continue
    }
    if (fields.size + panel.size === most) throw new DaymarkError('invalid', t('body.tooManyNames', { max: most }))
    checkText(name, name, t)
    into.set(name, [text])
  }
  return { from: 'form', fields, panel }
}
