import type { Html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { Confirm } from '../../crud/outcomes/records.js'
import { mostUses, type Use } from '../../crud/relation/uses.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { trashIn } from '../../resource/trash-resource.js'
import { url } from '../../route/url.js'
import { confirm } from '../components/confirm.js'
import { notice } from '../components/notice.js'
import { hiddenToken } from '../frame/form-token.js'
import { page } from '../frame/page.js'
import { undoForm } from '../frame/undo-form.js'
import { incomingFilter } from '../list/filters.js'
import { filteredUrl } from '../list/list-url.js'

/** Asks for confirmation of a delete; the form repeats the request. */
export function confirmPage({ resource, ids, labels, count, version, undo, key, uses }: Confirm, at: PresenterContext): Reply {
  const { t, locale } = at.realm
  const list = url(at.place, 'crud.index', { resourceUri: resource.uriKey })
  const title = count === 1 ? t('confirm.one', { label: labels[0] ?? '' }) : t('confirm.many', { count: numberText(locale, count) })
  const back = at.shell?.back ?? list
  const trash = trashIn(at.realm.resources, resource)
  const more = count - labels.length
  const returns = leadsBack(back, ids, at)
  return page(
    at,
    { title },
    confirm(
      {
        action: ids === null ? at.path : list,
        title,
        labels,
        more: more > 0 ? t('confirm.others', { count: numberText(locale, more) }) : null,
        hidden: [
          ['_method', 'DELETE'],
          ['_confirmed', '1'],
          ...hiddenToken(at),
          ...(version === null ? [] : [['_version', version] as const]),
          ...(ids ?? []).map((id) => ['ids[]', id] as const),
          ...(returns ? [['_back', back] as const] : []),
        ],
        cancel: back,
        after: returns ? back : list,
        warning: uses.length > 0 ? usesNotice(uses, key, at) : null,
        what: trash ? t('confirm.trash') : t('confirm.final'),
        undo: undo && undoForm({ ...undo, trash: undo.trash.uriKey }, back, at),
        said: count === 1 ? t('record.deletedOne', { title: labels[0] ?? '' }) : null,
      },
      t,
    ),
  )
}

/** What refers to the records, with links to those lists that can be filtered by it. */
function usesNotice(uses: readonly Use[], key: string | null, { realm, place }: PresenterContext): Html {
  const { t, locale } = realm
  const lines = uses.map(({ other, field, title, count }) => {
    const text = t('field.stillUsed', { title, count: `${numberText(locale, count)}${count === mostUses ? '+' : ''}` })
    const isFiltered = key !== null && other.filters.includes(field.key)
    return isFiltered ? { text, href: filteredUrl(place, other, [[incomingFilter(field), key]]) } : { text }
  })
  return notice('warn', t(key === null ? 'confirm.usedMany' : 'confirm.used'), lines)
}

/** Whether to return to `back` after a delete. Not to a page of the deleted record. */
function leadsBack(back: string, ids: Confirm['ids'], { path }: PresenterContext): boolean {
  const [from, here] = [back, path].map((one) => one.replace(/\/?(?:\?.*)?$/, '')) as [string, string]
  return ids !== null || from.split('/').at(-1) !== here.split('/').at(-1)
}
