import { type Html, html } from '../../base/html.js'
import { icon } from './icon.js'

/** A place for what a script has to say, empty until then. It is announced when it comes. */
export function liveRegion(): Html {
  return html`<div class="notices" role="status"><div class="notice info" hidden>${icon('info')}<div><p></p></div></div></div>`
}
