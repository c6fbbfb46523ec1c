import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Account } from '../../auth/account.js'
import { type AddressedMail, makeMails } from './mails.js'

const account = { identity: { id: '1', username: 'ada@example.com', name: 'Ada', roles: [] }, email: null } as unknown as Account
const link = 'https://panel.example.com/admin/reset/a-token-that-signs-in'
const letter: AddressedMail = [account, { subject: 'A link', text: ['Hello', link], link }]

/** A mail server that is away for some tries. */
function server(away: number, between: readonly number[]) {
  const [tries, logged]: [string[], unknown[]] = [[], []]
  const mails = makeMails(
    ({ to, text }) => {
      tries.push(to)
      if (tries.length <= away) throw new Error(`421 try again: ${text}`)
    },
    'Panel',
    (thrown) => logged.push(thrown),
    between,
  )
  return { mails, tries, logged }
}

test('a mail is tried again until it is sent, and no log has its link', async () => {
  const { mails, tries, logged } = server(2, [1, 1, 1])
  mails.soon(async () => letter)
  await vi.waitFor(() => expect(tries).toHaveLength(3))
  await setTimeout(20)
  expect(tries).toHaveLength(3)
  expect(logged).toHaveLength(2)
  for (const thrown of logged) expect(`${(thrown as Error).message}${(thrown as Error).stack}`).not.toContain('a-token')
})

test('it is given up after so many tries', async () => {
  const { mails, tries, logged } = server(Number.POSITIVE_INFINITY, [1, 1, 1])
  mails.soon(async () => letter)
  await vi.waitFor(() => expect(logged).toHaveLength(4))
  await mails.close()
  expect(tries).toHaveLength(4)
})

test('what waits is tried once more when the panel is closed, and nobody waits for more', async () => {
  for (const away of [1, 2]) {
    const { mails, tries, logged } = server(away, [600_000, 600_000])
    mails.soon(async () => letter)
    await vi.waitFor(() => expect(tries).toHaveLength(1))
    await mails.close()
    expect([tries.length, logged.length]).toEqual([2, away])
  }
})

test('many may wait, without a warning of it', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const { mails, tries } = server(20, [600_000])
  for (let i = 0; i < 20; i++) mails.soon(async () => letter)
  await vi.waitFor(() => expect(tries).toHaveLength(20))
  await setTimeout(20)
  await mails.close()
  expect([tries.length, warned.mock.calls]).toEqual([40, []])
})

test('what somebody waits for is tried once', async () => {
  const { mails, tries } = server(1, [1])
  expect(await mails.send(...letter)).toBeNull()
  expect(tries).toHaveLength(1)
  expect(await mails.send(...letter)).toBe('ada@example.com')
})
