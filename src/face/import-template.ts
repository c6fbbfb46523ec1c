import { withoutFormulas } from '../base/formula.js'
import type { SheetColumn } from '../crud/file-format.js'
import type { ImportTemplate } from '../crud/outcome.js'
import { byteOrderMark, csvLine, csvType } from './csv.js'
import type { Around, Reply } from './face.js'

/** An empty file of the columns that an import takes, the same in every face. */
export function importTemplateReply(template: ImportTemplate, at: Around): Reply {
  const { resource, format } = template
  const { t, locale, timeZone } = at.realm
  const columns = columnsOf(template, at)
  return {
    status: 200,
    headers: {
      'content-type': format?.type ?? csvType,
      'content-disposition': `attachment; filename="${resource.uriKey}.${format?.name ?? 'csv'}"`,
      'cache-control': 'no-store',
    },
    body: format
      ? format.write({ title: resource.title, columns, chunks: none(), timeZone, locale, t })
      : byteOrderMark + csvLine(columns.map(({ label }) => withoutFormulas(label))),
  }
}

/** Called by their labels, but by names where these are of several fields, or of relations to several records, whose labels no file can hold. */
function columnsOf({ fields }: ImportTemplate, { realm: { links } }: Around): readonly SheetColumn[] {
  return fields.map((field) => {
    const isShared = fields.some((other) => other !== field && other.label.toLowerCase() === field.label.toLowerCase())
    return { label: isShared || (field.kind.many(field) && links.has(field)) ? field.key : field.label, field }
  })
}

async function* none() {}
