import { html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import { htmlParts } from '../../crud/action/answer.js'
import type { Acted, Asked } from '../../crud/outcomes/actions.js'
import type { FormField } from '../../crud/outcomes/forms.js'
import { downloadReply } from '../../face/download.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { saidBy } from '../../face/said-by.js'
import { actionTitle } from '../../resource/action/bind-action.js'
import { ownPath, url } from '../../route/url.js'
import { actionForm } from '../components/action-form.js'
import { buttonLink } from '../components/button.js'
import { heading } from '../components/heading.js'
import { massUpdateField } from '../components/mass-update-field.js'
import { notice } from '../components/notice.js'
import { control, controlId, withLabel } from '../frame/form-control.js'
import { hiddenWithZone } from '../frame/form-token.js'
import { page, redirect } from '../frame/page.js'

/** The result of an action: its file, its markup on a page, or a redirect with its message. */
export function actedReply({ answer, back, gone = null }: Acted, at: PresenterContext): Reply {
  const { t } = at.realm
  if (answer.download) return downloadReply(answer.download)
  const home = gone ? url(at.place, 'crud.index', { resourceUri: gone.uriKey }) : backPath(back, at)
  if (answer.html !== undefined) {
    const title = answer.message ?? t('action.done')
    const actions = buttonLink({ label: t('action.back'), href: home })
    return page(at, { title }, html`${heading({ title, actions })}<div class="card section">${htmlParts(answer.html)}</div>`)
  }
  return { ...redirect(answer.redirect ?? home), flash: saidBy(answer, at.realm.t) }
}

/** The form of an action as a page of its own. A script shows it in a dialog instead. */
export function askedPage(outcome: Asked, at: PresenterContext): Reply {
  const { action, fields, picked, labels, count, confirm, danger, from, subject, error, once, back } = outcome
  const { t, locale } = at.realm
  const home = backPath(back, at)
  const title = actionTitle(action, t)
  const about =
    count === 0 ? null : count === 1 ? t('action.onOne', { label: labels[0] ?? '' }) : t('action.on', { count: numberText(locale, count) })
  const more = count - labels.length
  const wrong = fields.flatMap((one) =>
    // The control of what is not ticked is hidden.
    one.errors.map((text) => ({
      text: withLabel(text, one.field.label, t),
      href: `#${picked?.has(one.field.key) === false ? errorId(one) : controlId(one, prefix)}`,
    })),
  )
  const known = new Set(fields.map(({ field }) => field.key))
  const others = [...(error?.errors ?? [])].flatMap(([name, texts]) => (known.has(name) ? [] : texts.map((text) => ({ text }))))
  return page(
    at,
    { title, status: error?.status ?? 200, headers: error?.headers ?? {} },
    actionForm(
      {
        action: addressOf(outcome, at),
        title,
        save: picked ? t('form.save') : title,
        confirm,
        about,
        labels: count > 1 ? labels : [],
        more: more > 0 ? t('confirm.others', { count: numberText(locale, more) }) : null,
        notices:
          error &&
          notice(
            'bad',
            wrong.length + others.length > 0 ? t('form.wrong', { count: numberText(locale, wrong.length + others.length) }) : error.message,
            [...wrong, ...others],
          ),
        fields: fields.map((one) => {
          // What another field of the record decides is not known here.
          const drawn = control(one, at, { fields: picked ? [] : fields, key: null, may: { view: false } }, prefix)
          const { key, label } = one.field
          return picked ? massUpdateField({ name: key, label, error: errorId(one), picked: picked.has(key), control: drawn }) : drawn
        }),
        hidden: [
          ...(action.method === 'POST' ? [] : [['_method', action.method] as const]),
          ...hiddenWithZone(at),
          ['_once', once],
          ['_back', home],
          ...from,
          ...subject,
        ],
        cancel: home,
        danger,
      },
      t,
    ),
  )
}

const prefix = 'action'

const errorId = (one: FormField) => `${controlId(one, prefix)}-error`

/** Where the form is sent: a handler to its own path, a method to the path it was called on. */
function addressOf({ resource, action }: Asked, { place, path, route }: PresenterContext): string {
  if (!resource || route?.name === 'method') return `${path}?${new URLSearchParams({ method: action.uri })}`
  return url(place, 'handler', { resourceUri: resource.uriKey, handlerUri: action.uri })
}

/** The page the action was started on: named by the form if that is a path of ours, else by the referrer. */
function backPath(back: string, at: PresenterContext): string {
  const known = ownPath(at.place, back) ?? (at.shell?.back === at.path ? null : at.shell?.back)
  return known ?? url(at.place, 'index')
}
