import { block, type Html, html } from '../../base/html.js'
import { may } from '../../crud/call/allow.js'
import type { Undo } from '../../crud/outcomes/records.js'
import type { Flash, PresenterContext } from '../../face/face.js'
import { url } from '../../route/url.js'
import { button, buttonLink } from '../components/button.js'
import { hiddenToken } from './form-token.js'

/** What takes a delete back, on the page that says that it is done. */
type Undoing = NonNullable<Flash['undo']>

/**
 * A button that restores just the records of a delete from their trash, by the handler of its own button.
 *
 * @param back the page to be on afterwards
 */
export function undoForm({ trash, keys, once }: Undoing, back: string, at: PresenterContext): Html {
  const { t } = at.realm
  if (keys.length === 0) return buttonLink({ label: t('trash.title'), href: url(at.place, 'crud.index', { resourceUri: trash }) })
  const action = url(at.place, 'handler', { resourceUri: trash, handlerUri: 'restore' })
  const hidden = [...hiddenToken(at), ['_once', once], ['_back', back], ...keys.map((key) => ['ids[]', key] as const)] as const
  return block`
    <form class="undo" method="post" action="${action}">
      ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      ${button({ label: t('trash.undo') }, { formaction: action, 'data-action': 'run', 'aria-keyshortcuts': 'Control+Z Meta+Z' })}
    </form>
  `
}

// In bytes. Browsers keep cookies of 4 kB, and it holds the rest of the message, too.
const longest = 2400

/**
 * What takes a delete back, as it travels in a cookie. Too many keys do not fit: then it leads to the trash, where what was deleted last comes
 * first. Undefined: nothing does.
 */
export function undoing(undo: Undo | null, { realm, identity }: PresenterContext): Undoing | undefined {
  if (!undo || identity === null) return undefined
  const { trash, keys, once } = undo
  if (Buffer.byteLength(JSON.stringify(keys)) <= longest) return { trash: trash.uriKey, keys, once }
  return may(realm, identity, trash, 'viewAny') ? { trash: trash.uriKey, keys: [], once } : undefined
}
