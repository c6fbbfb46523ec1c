import type { Resource } from './resource.js'

/** The columns that the label of a record is made of. */
export const labelColumns = ({ label, column }: Pick<Resource, 'label' | 'column'>): readonly string[] => label?.needs ?? [column.key]

/** The name of what labels a record: of a field or of a computed value. */
export const labelName = ({ label, column }: Pick<Resource, 'label' | 'column'>): string => label?.key ?? column.key
