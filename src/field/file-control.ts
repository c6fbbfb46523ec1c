import { block, type Html, html } from '../base/html.js'
import { bytesText } from '../base/number.js'
import type { Bound, FileRule, ViewContext } from './field.js'
import { fileName } from './file-name.js'
import { type FileFacts, isSeveral, mostFiles } from './file-rule.js'
import { describedAttributes } from './kind.js'
import { textsIn } from './texts.js'

/** What the control of a file is made of. */
interface Control {
  readonly field: Bound<FileFacts>
  readonly rule: FileRule
  readonly ctx: ViewContext
  /** Draws a file that the field holds. */
  drawn(path: string, ctx: ViewContext): Html
}

/**
 * The form control of a file, or of several. Hidden are the paths that are sent; a script sends a chosen file at once, and puts its path
 * there.
 *
 * @param pictures whether a chosen file is shown, too, as a picture
 */
export function fileInput(typed: string, control: Control, { pictures = false }: { readonly pictures?: boolean } = {}): Html {
  const { field, rule, ctx } = control
  const several = isSeveral(field)
  const { t, locale, uploadUrl } = ctx
  const { maxBytes } = rule
  const tooLarge = t('file.tooLarge', { label: field.label, most: bytesText(locale, maxBytes) })
  const script =
    uploadUrl !== null &&
    html` data-upload="${uploadUrl}" data-most="${maxBytes}" data-too-large="${tooLarge}"${pictures && html` data-shows="pictures"`}`
  const takesId = `${ctx.id}-takes`
  const inside = several ? severalInputs(textsIn(typed), control, takesId) : oneInput(typed, control, takesId)
  return block`
    <div class="file-control${several && ' several-files'}"${script}>
      ${inside}<span class="takes" id="${takesId}">${taken(control)}</span>
      <span class="unseen said" role="status"></span>
    </div>
  `
}

function oneInput(path: string, control: Control, takesId: string): Html {
  const { field, ctx, drawn } = control
  const { t, name } = ctx
  const filled = path !== ''
  // The file comes first among the controls that are seen: it is what the label names.
  return block`
    <input type="hidden" name="${name}" value="${path}">
    <span class="file-now"${!filled && html` hidden`}>${filled && drawn(path, ctx)}</span>
    ${chooser(control, filled, takesId)}
    ${
      !field.required &&
      block`
        <label class="file-clear"${!filled && html` hidden`}>
          <input type="checkbox" name="_clear" value="${name}" aria-label="${t('file.clearOf', { label: field.label })}"> ${t('file.clear')}
        </label>
      `
    }
  `
}

/** Each file with a box that removes it, then what takes more. The hidden empty value says that none is left. */
function severalInputs(paths: readonly string[], control: Control, takesId: string): Html {
  const { field, ctx, drawn } = control
  const { t, name } = ctx
  const tooMany = t('field.tooMany', { label: field.label, max: String(mostFiles(field)) })
  return block`
    <input type="hidden" name="${name}" value="">
    <ul
      class="files-now"
      data-most="${mostFiles(field)}"
      data-too-many="${tooMany}"
      data-at="${t('file.at', { at: '{at}', count: '{count}' })}"
    >
      ${paths.map((path) => oneOfSeveral(path, fileName(path), drawn(path, ctx), ctx))}
    </ul>
    ${chooser(control, paths.length > 0, takesId)}
    <template>${oneOfSeveral('', '{name}', html``, ctx)}</template>
  `
}

/** One of several files. A script fills the one of the template in. */
function oneOfSeveral(path: string, file: string, shown: Html, { t, name }: ViewContext): Html {
  return block`
    <li>
      <input type="hidden" name="${name}" value="${path}"><span class="file-now">${shown}</span>
      <span class="file-does">
        <button type="button" class="earlier" aria-label="${t('file.earlierOf', { name: file })}">${t('file.earlier')}</button>
        <label class="file-clear">
          <input type="checkbox" name="_clear[${name}]" value="${path}" aria-label="${t('file.clearOf', { label: file })}"> ${t('file.clear')}
        </label>
      </span>
    </li>
  `
}

/** @param filled whether there is a file already, so that none need be chosen */
function chooser({ field, rule: { extensions }, ctx }: Control, filled: boolean, takesId: string): Html {
  const attributes = describedAttributes(filled ? { ...field, required: false } : field, ctx, takesId)
  return block`
    <input
      type="file"
      ${isSeveral(field) && html` multiple`}
      ${attributes}
      ${extensions !== null && html` accept="${extensions.map((one) => `.${one}`).join()}"`}
    >
  `
}

/** What the field takes, in words. */
function taken({ field, rule: { extensions, maxBytes }, ctx: { t, locale } }: Control): string {
  const most = bytesText(locale, maxBytes)
  const each = extensions === null ? t('file.takesAny', { most }) : t('file.takes', { most, extensions: extensions.join(', ') })
  return isSeveral(field) ? t('file.takesSeveral', { count: String(mostFiles(field)), each }) : each
}
