import type { Html } from '../../base/html.js'
import type { MessageKey } from '../../base/messages.js'
import { numberText } from '../../base/number.js'
import { isFilterParameter } from '../../crud/input/filter-parameters.js'
import type { PresenterContext } from '../../face/face.js'
import { newText } from '../../resource/singular.js'
import { buttonLink } from '../components/button.js'
import { empty } from '../components/empty.js'
import { createUrl, importText, importUrl } from '../frame/record-urls.js'
import type { AnyList } from './any-list.js'
import { chipsOf, isNarrowed } from './filters.js'
import { listAnchor, prefillFromPreset } from './list-name.js'
import { listUrl, listUrlWithout } from './list-url.js'

/** To the last page there is, where it is known: whoever deleted its last record comes from beyond it. Else to the first one. */
function wayBack({ listing: { perPage } }: AnyList, { count, exact }: NonNullable<AnyList['total']>, at: PresenterContext): Html {
  const { t } = at.realm
  const last = exact ? Math.ceil(count / perPage) : 1
  if (last === 1) return buttonLink({ label: t('list.firstPage'), href: listUrl(at, {}) })
  return buttonLink({ label: t('list.lastPage'), href: listUrl(at, { page: String(last) }) })
}

/** The empty state of a list: past the last page, no match, or no records yet. */
export function emptyState(list: AnyList, at: PresenterContext): Html {
  const { t, locale } = at.realm
  const { listing, total, resource } = list
  if (total && total.count > 0) {
    return empty({
      icon: 'empty',
      title: t('list.pastEnd'),
      text: t('list.pastEndWhy', { count: numberText(locale, total.count) }),
      actions: [wayBack(list, total, at)],
    })
  }
  if (isNarrowed(listing)) {
    // Search text and tags are quoted; filter descriptions are not.
    const tag = listing.tag === null ? [] : [resource.queryTags.get(listing.tag)?.label ?? '']
    const written = [...tag, ...(listing.search === '' ? [] : [listing.search])].map((text) => t('list.quoted', { text }))
    const all = [...written.map((text) => ({ text, joined: null })), ...(chipsOf(list, at)?.filters ?? [])]
    const names = all.map(({ text, joined }, i) => (joined !== null ? ` ${joined} ` : i > 0 ? ', ' : '') + text).join('')
    const clear = listUrlWithout(at, isFilterParameter)
    return empty({
      icon: 'no-match',
      title: t('list.noneMatch'),
      text: t('list.noneMatchWhy', { names }),
      actions: [buttonLink({ label: t('list.clearFilters'), href: clear })],
    })
  }
  const { chosen } = list.preset ?? {}
  if (chosen) return empty({ icon: 'no-match', title: t('list.noneMatch'), text: t('list.noneMatchWhy', { names: chosen.join(', ') }) })
  if (resource.trashOf) return empty({ icon: 'delete', title: t('trash.none'), text: t('trash.noneText') })
  // What belongs to a record has the button above it.
  const create = list.preset?.of ? null : createUrl(at, resource, prefillFromPreset(list), listAnchor(list))
  const imports = create !== null && list.preset === null ? importUrl(at, resource) : null
  return empty({
    icon: 'empty',
    title: t('list.noneYet'),
    text: t(howOf(list, create !== null, imports !== null)),
    actions: [
      ...(create === null ? [] : [buttonLink({ label: newText(resource, t), href: create, icon: 'plus' })]),
      ...(imports === null ? [] : [buttonLink({ label: importText(at), href: imports, icon: 'upload' })]),
    ],
  })
}

/** What to do where there are no records yet: what the user may do, by what they see. */
function howOf({ preset, drawn }: AnyList, creates: boolean, imports: boolean): MessageKey {
  if (preset?.of) return 'list.noneYetRelated'
  if (!creates) return 'list.noneYetElsewhere'
  if (imports) return 'list.noneYetImport'
  return drawn?.is === 'board' ? 'list.noneYetColumn' : 'list.noneYetHow'
}
