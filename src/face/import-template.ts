import { withoutFormulas } from '../base/formula.js'
import { matchNames } from '../crud/import/columns.js'
import type { ImportTemplate } from '../crud/outcomes/imports.js'
import type { SheetColumn } from '../crud/realm/file-format.js'
import { byteOrderMark, csvLine } from './csv.js'
import type { PresenterContext, Reply } from './face.js'
import { tableFile } from './table-file.js'

/** An empty file of the columns that an import takes. */
export function importTemplateReply(template: ImportTemplate, at: PresenterContext): Reply {
  const { resource, format } = template
  const columns = columnsOf(template, at)
  const csv = byteOrderMark + csvLine(columns.map(({ label }) => withoutFormulas(label)))
  return tableFile({ name: resource.uriKey, title: resource.title, format, columns, chunks: none(), csv }, at)
}

/**
 * Called by their labels, but by names where these are of several fields. Several related records are named by what imports find them by, or
 * else by their keys: no file can hold their labels.
 */
function columnsOf({ fields, related }: ImportTemplate, { realm: { links, t } }: PresenterContext): readonly SheetColumn[] {
  return fields.map((field) => {
    const isShared = fields.some((other) => other !== field && other.label.toLowerCase() === field.label.toLowerCase())
    const isListed = field.kind.many(field) && links.has(field)
    const byMatch = isListed ? matchNames(t, field, related.get(field) ?? []) : null
    const { label, key } = byMatch ?? field
    return { label: isShared || (isListed && !byMatch) ? key : label, field }
  })
}

async function* none() {}
