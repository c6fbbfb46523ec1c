import { html } from '../../base/html.js'
import type { Previewed } from '../../crud/outcomes/forms.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { cellContext } from '../frame/view-context.js'
import { markup } from './part.js'

/** How what was typed into a field will look, alone. */
export function previewReply({ field, value }: Previewed, { realm }: PresenterContext): Reply {
  const nothing = html`<p class="muted">${realm.t('preview.nothing')}</p>`
  return markup(value === null ? nothing : field.kind.cell(value, field, cellContext(realm, field)))
}
