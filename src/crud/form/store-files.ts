import { DaymarkError } from '../../base/errors.js'
import { shown } from '../../base/shown.js'
import type { Bound } from '../../field/field.js'
import { mostFiles } from '../../field/file-rule.js'
import { storeFile } from '../body/store-file.js'
import type { Call } from '../call/call.js'
import { isWritable } from '../call/field-access.js'
import type { Body, FormFile } from '../call/input.js'
import { lensOf } from '../call/lens.js'

type Form = Extract<Body, { from: 'form' }>

/**
 * Keeps the files of a form, whose fields then hold their paths: what was chosen is there, too, when the form is shown again. A file that is
 * refused is said at its field, as any other value.
 */
export async function storeFiles(call: Call): Promise<Call> {
  const { identity, resource, realm, input } = call
  const { body } = input
  if (body.from !== 'form' || !body.files) return call
  const { readable } = lensOf(identity, resource, { name: 'record', whole: true })
  const fields = new Map(body.fields)
  const faults = new Map<string, readonly string[]>()
  for (const [name, chosen] of body.files) {
    const field = readable.get(name)
    // Whoever may not write the field gets the answer that they would get to any value of it.
    if (field && !isWritable(call, field, input.key === null)) faults.set(name, [realm.t('field.readOnly', { label: field.label })])
    else if (!field?.kind.file)
      faults.set(name, [realm.t(field ? 'body.file' : 'field.unknown', { name, names: [...readable.keys()].join(', ') })])
    else if (field.kind.many(field)) {
      const stays = (fields.get(name) ?? []).filter((path) => path !== '' && !body.panel.get(`_clear[${name}]`)?.includes(path))
      const max = mostFiles(field)
      const room = Math.max(0, max - stays.length)
      const { paths, refused } = await keepAll(call, field, chosen.slice(0, room))
      const beyond = chosen.slice(room).map((one) => shown(one.name))
      if (beyond.length > 0) refused.push(`${beyond.join(', ')}: ${realm.t('field.tooMany', { label: field.label, max: String(max) })}`)
      fields.set(name, [...(fields.get(name) ?? []), ...paths])
      if (refused.length > 0) faults.set(name, refused)
    } else if (chosen.length > 1) faults.set(name, [realm.t('body.twice', { name })])
    else {
      const { paths, refused } = await keepAll(call, field, chosen)
      if (refused.length > 0) faults.set(name, refused)
      else fields.set(name, paths)
    }
  }
  const kept: Form = { ...body, fields, ...(faults.size > 0 && { faults }) }
  return { ...call, input: { ...input, body: kept } }
}

/** Keeps the files of one field: those that it takes, whatever becomes of the others. */
async function keepAll(call: Call, field: Bound, files: readonly FormFile[]) {
  const paths: string[] = []
  const refused = new Set<string>()
  for (const one of files) {
    try {
      const { path } = await storeFile(call, field, { name: one.name, size: one.bytes.length, content: whole(one) })
      paths.push(path)
    } catch (thrown) {
      const texts = thrown instanceof DaymarkError ? thrown.errors.get(field.key) : undefined
      if (!texts) throw thrown
      for (const text of texts) refused.add(files.length > 1 ? `${one.name}: ${text}` : text)
    }
  }
  return { paths, refused: [...refused] }
}

async function* whole({ bytes }: FormFile): AsyncGenerator<Uint8Array> {
  yield bytes
}
