import { block, type Html, html } from '../../base/html.js'

export interface FormView {
  /** The id by which client events refer to the form. */
  readonly id: string
  readonly action: string
  /** The URL for validation by script. */
  readonly validate: string
  /** The URL of the script that keeps its place, and what is typed. */
  readonly script: string
  /** The id of the user who fills it in: nobody else gets what is kept. */
  readonly user: string
  /** The names of the fields that it does not keep: secrets and files. */
  readonly unkept: readonly string[]
  /** What it says of what it has put back. */
  readonly restored: Html
  /** Whether it sends files. */
  readonly files: boolean
  /** Hidden inputs. */
  readonly hidden: readonly (readonly [name: string, value: string])[]
  readonly crumbs: Html
  readonly heading: Html
  readonly notices: Html | null
  readonly body: Html
  /** Secondary actions first, Save last. */
  readonly actions: Html
  /** The text a script shows for unsaved changes. Its space is reserved, so nothing moves. */
  readonly unsaved: string
}

/** The attribute of a form that sends files. It begins with a space. */
export const multipart = html` enctype="multipart/form-data"`

/** A form as a page. Its heading and Save button stay in view. */
export function form({
  id,
  action,
  validate,
  script,
  user,
  unkept,
  restored,
  files,
  hidden,
  crumbs,
  heading,
  notices,
  body,
  actions,
  unsaved,
}: FormView): Html {
  // Enter presses the first button of a form. This hidden one comes before any search button.
  return block`
    <form
      class="form-page"
      id="${id}"
      method="post"
      action="${action}"
      ${files && multipart}
      novalidate
      data-validate="${validate}"
      data-script="${script}"
      data-user="${user}"
      ${unkept.length > 0 && html` data-unkept="${unkept.join(' ')}"`}
    >
      <button class="unseen" tabindex="-1" aria-hidden="true"></button>
      ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      ${crumbs}${heading}${notices && html`<div class="notices">${notices}</div>`}${body}
      <div class="actions"><span class="unsaved-place scripted" role="status" data-words="${unsaved}"></span>${actions}</div>
      <template class="restored">${restored}</template>
    </form>
  `
}
