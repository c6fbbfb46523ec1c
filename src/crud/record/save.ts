import { parseKey } from '../../field/key.js'
import type { Row } from '../../store/store.js'
import { validateBody } from '../body/validated-body.js'
import { allow, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Input } from '../call/input.js'
import { lensOf } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { commitCreate } from '../commit/create.js'
import { commitUpdate } from '../commit/update.js'
import { demandVersion, versioned } from '../commit/version.js'
import { prefillOf } from '../form/prefill.js'
import { readNestedWrite } from '../form/write-nested.js'
import { runOnce } from '../input/idempotent.js'
import { findByKey, keyOf } from '../input/key.js'
import { panelText } from '../input/panel-text.js'
import type { Outcome } from '../outcomes/outcome.js'
import type { Saved } from '../outcomes/records.js'
import { UsedKeyError } from '../realm/idempotency.js'
import { labelOf } from '../relation/label.js'

/** Creates a record. */
export async function create(call: Call): Promise<Outcome> {
  allow(call.realm, call.identity, call.resource, 'create')
  const make = async () => {
    const reading = readNestedWrite(call)
    const { own, along, refused } = reading instanceof Promise ? await reading : reading
    try {
      return saved(call, true, await commitCreate(own, await validateBody(own, true), along), nextOf(call.input))
    } catch (thrown) {
      throw await refused(thrown, null)
    }
  }
  // A second body with the same key does not create a second record: if the first answer was lost, nobody has seen that record.
  return runOnce(call, ['create', call.resource.uriKey], make, {
    said: ({ lens, row }) => call.realm.t('record.madeBefore', { label: labelOf(lens, row) }),
    small: { of: ({ key }) => key, again: (key) => savedBefore(call, key as string) },
  })
}

/** The current record that an earlier copy of the form created. */
async function savedBefore(call: Call, text: string): Promise<Saved> {
  const { identity, resource, store } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const key = parseKey(text, resource.model.key)
  const row = key === undefined ? null : await findByKey(store, resource.model, key, lens, scopeOf(identity, resource))
  if (!row) throw new UsedKeyError(call.realm.t('record.madeBefore', { label: text }))
  return saved(call, true, row, nextOf(call.input))
}

/** Changes the fields that are sent, by PUT and PATCH alike. */
export async function update(call: Call): Promise<Outcome> {
  const { realm, identity, resource, input } = call
  allow(realm, identity, resource, 'update')
  const key = keyOf(call)
  demandVersion(input.ifMatch, resource.requireIfMatch, realm)
  const reading = readNestedWrite(call)
  const { own, along, refused } = reading instanceof Promise ? await reading : reading
  try {
    return saved(call, false, await commitUpdate(own, key, await validateBody(own, false), { along }), nextOf(input))
  } catch (thrown) {
    throw await refused(thrown, key)
  }
}

/** The written record, as the caller may see it. */
export function saved(call: Call, created: boolean, row: Row, next: Saved['next']): Saved {
  const { identity, resource, input } = call
  const lens = visibleLens(call, lensOf(identity, resource, { name: 'detail', whole: true }), row, created)
  const { version, text } = versioned(lens, row)
  return {
    is: 'saved',
    created,
    resource,
    lens,
    row,
    key: lens.key(row),
    version,
    text,
    next,
    back: panelText(input, '_back'),
    begun: created ? prefillOf(input) : [],
  }
}

function nextOf(input: Input): Saved['next'] {
  const then = panelText(input, '_then')
  if (then === 'continue' || then === 'another') return then
  return panelText(input, '_form') === '' ? null : 'back'
}
