import { capitalised } from '../base/humanise.js'
import type { Translate } from '../base/messages.js'
import type { Resource } from './resource.js'

type Named = Pick<Resource, 'title' | 'singular'>

/** What a button beside the records says: *New patient*. */
export const newText = ({ singular }: Named, t: Translate): string =>
  singular === null ? t('list.create') : t('list.createSingular', { singular })

/** The name of the form of a new record, where nothing around says of what. */
export const newTitle = ({ title, singular }: Named, t: Translate): string =>
  singular === null ? t('list.createOne', { title }) : t('list.createSingular', { singular })

/** The name of one of the rows in a form: *Line 3*. */
export const rowTitle = ({ title, singular }: Named, row: number | string, t: Translate): string =>
  singular === null ? t('nested.row', { title, row }) : t('nested.rowOf', { singular: capitalised(singular), row })
