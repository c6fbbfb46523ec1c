import { block, type Html, html } from '../../base/html.js'
import { isControlled } from '../../crud/form/control.js'
import type { Formed } from '../../crud/outcomes/forms.js'
import type { PageAt } from '../../crud/outcomes/pages.js'
import { pageValue } from '../../crud/pages/form-on-page.js'
import type { PresenterContext } from '../../face/face.js'
import type { FormBuilder } from '../../resource/pages/component.js'
import { newTitle } from '../../resource/singular.js'
import { url } from '../../route/url.js'
import { button } from '../components/button.js'
import { multipart } from '../components/form.js'
import { control } from '../frame/form-control.js'
import { computedOutput, inOrder } from '../frame/form-output.js'
import { hiddenWithZone } from '../frame/form-token.js'
import { checkUrl, recordUrls } from '../frame/record-urls.js'
import { listUrl } from '../list/list-url.js'
import { hiddenOf, notices, sendsFiles } from './record-form.js'

/** A form as a component. `above` is a title already shown above it. After a refusal it holds what was typed. */
export function formCard({ name, title }: FormBuilder, formed: Formed, page: PageAt, at: PresenterContext, above: string | null): Html {
  const { resource, key, error } = formed
  const { t } = at.realm
  const action =
    key === null ? url(at.place, 'crud.index', { resourceUri: resource.uriKey }) : recordUrls(at.place, resource.uriKey).show(key)
  const hidden = [
    ...hiddenOf(formed),
    ['_form', pageValue(name, page)] as const,
    ['_back', listUrl(at, {})] as const,
    ...hiddenWithZone(at),
  ]
  // Without a title, the heading says what the form makes. Several forms may make the same, so it is then no landmark.
  const called = title ?? (key === null ? newTitle(resource, t) : (formed.label ?? resource.title))
  const controls = inOrder(
    formed,
    formed.names,
    (one) => (isControlled(one) ? control(one, at, formed, name) : null),
    (one) => computedOutput(one, formed, at, name),
  )
  const validate = checkUrl(at.place, resource.uriKey, key)
  return block`
    <form
      class="card section"
      id="${name}"
      method="post"
      action="${action}"
      ${sendsFiles(formed) && multipart}
      novalidate
      data-validate="${validate}"
      ${title !== null && html` aria-label="${title}"`}
    >
      ${hidden.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}
      ${(title !== null || above === null) && html`<h2>${called}</h2>`}
      ${error && html`<div class="notices">${notices(formed, at, name)}</div>`}
      ${controls}
      <div class="actions">${button({ label: key === null ? t('form.create') : t('form.save') }, { name: '_save', value: '1' })}</div>
    </form>
  `
}
