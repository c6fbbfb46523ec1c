import { DaymarkError } from '../base/errors.js'
import type { Body, Call, FormFile } from './call.js'
import { keepFile } from './keep-file.js'
import { lensOf } from './lens.js'
import { isWritable } from './sent.js'

type Form = Extract<Body, { from: 'form' }>

/**
 * Keeps the files of a form, whose fields then hold their paths: what was chosen is there, too, when the form is shown again. A file that is
 * refused is said at its field, as any other value.
 */
export async function withFiles(call: Call): Promise<Call> {
  const { identity, resource, realm, input } = call
  const { body } = input
  if (body.from !== 'form' || !body.files) return call
  const { readable } = lensOf(identity, resource, { name: 'record', whole: true })
  const fields = new Map(body.fields)
  const faults = new Map<string, readonly string[]>()
  for (const [name, one] of body.files) {
    const field = readable.get(name)
    // Whoever may not write the field gets the answer that they would get to any value of it.
    if (field && !isWritable(call, field, input.key === null)) faults.set(name, [realm.t('field.readOnly', { label: field.label })])
    else if (field?.kind.file) await keep(field)
    else faults.set(name, [realm.t(field ? 'body.file' : 'field.unknown', { name, names: [...readable.keys()].join(', ') })])

    async function keep(field: NonNullable<ReturnType<typeof readable.get>>): Promise<void> {
      try {
        const { path } = await keepFile(call, field, { name: one.name, size: one.bytes.length, content: whole(one) })
        fields.set(name, [path])
      } catch (thrown) {
        if (!(thrown instanceof DaymarkError) || !thrown.errors.has(name)) throw thrown
        faults.set(name, thrown.errors.get(name) as readonly string[])
      }
    }
  }
  const kept: Form = { ...body, fields, ...(faults.size > 0 && { faults }) }
  return { ...call, input: { ...input, body: kept } }
}

async function* whole({ bytes }: FormFile): AsyncGenerator<Uint8Array> {
  yield bytes
}
