import type { Panel } from 'daymark'

/** The default password of the demo's users: only fit for this machine. */
export const defaultPassword = 'daymark-atlas'

const people = [
  { username: 'admin@example.com', name: 'Ada Admin', roles: ['admin'] },
  { username: 'editor@example.com', name: 'Edgar Editor', roles: ['editor'] },
  { username: 'reader@example.com', name: 'Rita Reader', roles: ['reader'] },
  { username: 'nobody@example.com', name: 'Norman Nobody', roles: [] },
]

/** One user for each role, and one without any. */
export async function ensureUsers(panel: Panel, password: string): Promise<readonly string[]> {
  await Promise.all(people.map((person) => panel.ensureUser({ ...person, password })))
  return people.map(({ username }) => username)
}
