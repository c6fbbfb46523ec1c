import { DaymarkError, invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { bytesText } from '../base/number.js'
import { shown } from '../base/shown.js'
import type { Body, FormFile } from '../crud/call/input.js'
import type { Language } from './bytes.js'
import type { Limits } from './limits.js'
import { multipart } from './multipart.js'
import { checkText, textOf } from './text.js'
import { pairs } from './url-encoding.js'

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

/**
 * Reads a multipart body.
 *
 * @param takesFiles whether it may hold files; else one is refused, naming its field
 */
export function readMultipart(bytes: Uint8Array, boundary: string, limits: Limits, takesFiles: boolean, { t, locale }: Language): Body {
  const files = new Map<string, FormFile[]>()
  let count = 0
  const form = formOf(texts(), limits.fields, t)
  return files.size === 0 ? form : { ...form, files }

  function* texts() {
    // Only files may be larger than any body: so many texts would keep the process busy for seconds.
    let room = limits.body
    for (const { name, file, content, length } of multipart(bytes, boundary, malformed)) {
      room -= file === null ? length : length - content.length
      if (room < 0) throw new DaymarkError('tooLarge', t('body.tooLarge', { max: bytesText(locale, limits.body) }))
      const field = textOf(name, t)
      if (file === null) yield [field, textOf(content, t)] as const
      else keep(field, file, content)
    }
  }
  function keep(field: string, file: Uint8Array, content: Uint8Array): void {
    checkText(field, field, t)
    if (!takesFiles) throw invalid(shown(field), t('body.file'))
    // What a form sends where no file was chosen.
    if (file.length === 0 && content.length === 0) return
    if (count === limits.fields) throw new DaymarkError('invalid', t('body.tooManyNames', { max: limits.fields }))
    count++
    const one = { name: textOf(file, t), bytes: content }
    const others = files.get(field)
    if (others) others.push(one)
    else files.set(field, [one])
  }
  function malformed(): never {
    throw new DaymarkError('malformed', t('body.notForm'))
  }
}

/** Names that begin with `_` belong to the panel and never reach a record. */
function formOf(given: Iterable<readonly [name: string, text: string]>, most: number, t: Translate): Extract<Body, { from: 'form' }> {
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
