import type { Identity } from '../../auth/identity.js'

/** Whose a job is: a key that is limited to some roles has jobs of its own, since those of its user may tell what it may not see. */
export function ownerOf({ id, apiKey }: Identity): string {
  return apiKey?.roles ? `key:${apiKey.id}` : id
}
