import { mkdtempSync, rmSync } from 'node:fs'
import type * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { folder } from './folder.js'

const done = vi.hoisted(() => ({ all: [] as [string, string][], fault: null as string | null }))

// What the disk is asked for: only a loss of power would show whether it was.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  return {
    ...real,
    async open(path: string, flags?: string) {
      const handle = await real.open(path, flags)
      const sync = handle.sync.bind(handle)
      handle.sync = async () => {
        done.all.push(['sync', path])
        if (flags !== 'w' && done.fault) throw Object.assign(new Error('no'), { code: done.fault })
        await sync()
      }
      return handle
    },
    async rename(from: string, to: string) {
      done.all.push(['rename', to])
      await real.rename(from, to)
    },
  }
})

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'daymark-sync-'))
  done.all.length = 0
  done.fault = null
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

async function* bytes() {
  yield Buffer.from('one')
}
const seen = () => done.all.map(([what, path]) => `${what} ${relative(place, path) || '.'}`)

test('the name of a file is on the disk with its bytes, and so are the folders that were made for it', async () => {
  const files = folder(join(place, 'new'))
  await files.put('k/a.txt', bytes())
  expect(seen()).toEqual([
    `sync ${join('new', 'k', '.a.txt.part')}`,
    `rename ${join('new', 'k', 'a.txt')}`,
    `sync ${join('new', 'k')}`,
    'sync new',
    'sync .',
  ])
  done.all.length = 0
  await files.put('k/b.txt', bytes())
  expect(seen().slice(2)).toEqual([`sync ${join('new', 'k')}`])
})

test('where a platform syncs no folder, a file is kept all the same; a fault of the disk is told', async () => {
  const files = folder(place)
  done.fault = 'EPERM'
  await files.put('k/a.txt', bytes())
  expect((await files.get('k/a.txt'))?.size).toBe(3)
  done.fault = 'EIO'
  await expect(files.put('l/a.txt', bytes())).rejects.toThrow('no')
  expect(await files.get('l/a.txt')).toBe(null)
})
