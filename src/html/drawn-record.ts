import type { Identity } from '../auth/identity.js'
import type { Html } from '../base/html.js'
import { may, mayRecord } from '../crud/allow.js'
import { handsOutRecords } from '../crud/lens.js'
import { labelOf } from '../crud/related.js'
import type { Around } from '../face/face.js'
import { labelName } from '../resource/label.js'
import type { Row } from '../store/store.js'
import type { AnyList } from './any-list.js'
import { recordUrls, relatedUrls } from './record-urls.js'
import { none, recordOf, rowMaker } from './rows.js'

/** A record in a view: what every view knows of it. */
export interface DrawnRecord {
  readonly key: string
  readonly label: string
  /** The URL of its page, else of its form; null: the caller may open neither. */
  readonly href: string | null
  /** Whether the caller may change it. */
  readonly changes: boolean
  /** What it shows besides its label, without what it has not. */
  readonly facts: readonly { readonly label: string; readonly value: Html; readonly title: string | null }[]
}

/** Makes what views show of rows. */
export function recordsOf({ resource, lens, related }: AnyList, card: readonly string[], at: Around): (row: Row) => DrawnRecord {
  const identity = at.identity as Identity
  const { realm } = at
  const asks = handsOutRecords(resource)
  const maker = rowMaker(realm, lens)
  const relatedUrl = relatedUrls(at, lens)
  const urls = recordUrls(at.place, resource.uriKey)
  const [views, updates] = (['view', 'update'] as const).map((ability) => may(realm, identity, resource, ability))
  return (row) => {
    const key = lens.key(row)
    const record = asks ? recordOf(lens, row) : {}
    const changes = updates === true && mayRecord(identity, resource, 'update', record)
    const seen = views === true && mayRecord(identity, resource, 'view', record)
    const href = seen ? urls.show(key) : changes ? urls.form(key) : null
    const values = maker.contents(row, {
      related,
      relatedUrl,
      href,
      files: seen ? href : null,
      rowNumber: 0,
      record,
      inWords: false,
      save: null,
    })
    const facts = lens.shown.flatMap((one, i) => {
      const content = values[i]
      // The label is there already, and what places the record shows by its place.
      if (!content || content.value === none || !card.includes(one.key) || one.key === labelName(resource)) return []
      return [{ label: 'field' in one ? one.field.label : one.computed.label, ...content }]
    })
    return { key, label: labelOf(lens, row), href, changes, facts }
  }
}
