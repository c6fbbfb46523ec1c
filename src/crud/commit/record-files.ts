import { invalid } from '../../base/errors.js'
import { shown } from '../../base/shown.js'
import type { Bound } from '../../field/field.js'
import { fileName } from '../../field/file-name.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads, Row, Writes } from '../../store/store.js'
import { actual } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'

const none: readonly Bound[] = []
const known = new WeakMap<Resource, readonly Bound[]>()

/** The fields of a resource whose values name files. */
export function fileFields(resource: Resource): readonly Bound[] {
  let fields = known.get(resource)
  if (!fields) {
    const all = [...resource.fields.values()].filter(({ kind }) => kind.file !== null)
    fields = all.length === 0 ? none : all
    known.set(resource, fields)
  }
  return fields
}

/**
 * Lets a record take the files that a write names, and gives up those that it held.
 *
 * @param before the record; null: it is new
 * @param sent the values that a caller sent, who may name only files that they have uploaded for the field; what code names is its own
 * @throws DaymarkError `invalid` for a file that the caller may not take
 */
export async function takeFiles(
  call: Call,
  { raw, lens }: { readonly raw: Reads & Writes; readonly lens: Lens },
  before: Row | null,
  values: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  for (const field of fileFields(call.resource)) {
    if (!Object.hasOwn(values, field.key)) continue
    const [was, is] = [pathsOf(before?.[lens.at.get(field.key) as number]), pathsOf(values[field.key])]
    const asked = pathsOf(sent?.[field.key])
    for (const path of is) {
      if (was.includes(path)) continue
      await (asked.includes(path) ? take(call, raw, field, path) : call.realm.files?.hold(raw, path))
    }
    for (const path of was) if (!is.includes(path)) await call.realm.files?.release(raw, fileOf(call, field, path))
  }
}

async function take(call: Call, raw: Reads & Writes, field: Bound, path: string): Promise<void> {
  if (!(await call.realm.files?.take(raw, fileOf(call, field, path))))
    throw invalid(field.key, call.realm.t('file.again', { label: field.label, name: shown(fileName(path)) }))
}

/** Gives up the files of a record that is deleted. */
export async function releaseFiles(call: Call, { raw, lens }: { readonly raw: Writes; readonly lens: Lens }, row: Row): Promise<void> {
  for (const field of fileFields(call.resource)) {
    for (const path of pathsOf(row[lens.at.get(field.key) as number])) await call.realm.files?.release(raw, fileOf(call, field, path))
  }
}

function fileOf({ identity, resource }: Call, { key }: Bound, path: string) {
  return { path, userId: actual(identity).id, of: resource.model, field: key }
}

/** The paths that a value names, each once: a text, or a list of texts. */
export const pathsOf = (value: unknown): readonly string[] =>
  [...new Set(Array.isArray(value) ? value : [value])].filter((one): one is string => typeof one === 'string' && one !== '')
