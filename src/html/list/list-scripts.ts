import { type Html, html } from '../../base/html.js'
import type { PresenterContext } from '../../face/face.js'
import { assetUrl } from '../frame/assets.js'
import type { AnyList } from './any-list.js'
import { isInPlace } from './edit-in-place.js'

/** The attribute of a list that names the scripts for what its table has; null: it needs none besides the page's. */
export function listScripts({ lens, moves }: Pick<AnyList, 'lens' | 'moves'>, { place }: PresenterContext): Html | null {
  const saves = lens.shown.some((one) => 'field' in one && isInPlace(one.field))
  const urls = [moves && assetUrl(place, 'moves.js'), saves && assetUrl(place, 'undo.js')].filter(Boolean)
  return urls.length > 0 ? html` data-script="${urls.join(' ')}"` : null
}
