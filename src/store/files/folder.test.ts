import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folder } from './folder.js'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'daymark-folder-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of content) all.push(piece)
  return Buffer.concat(all).toString()
}

test('a file is put, read and removed, and its folder with it', async () => {
  const files = folder(join(place, 'new'))
  await files.put('k/a.txt', pieces('one ', 'two'))
  const found = await files.get('k/a.txt')
  expect([found?.size, found && (await textOf(found.content))]).toEqual([7, 'one two'])
  expect(found?.part && (await textOf(found.part(2, 4)))).toBe('e t')
  expect(found?.part && (await textOf(found.part(6, 6)))).toBe('o')
  await files.remove('k/a.txt')
  await files.remove('k/a.txt')
  expect([await files.get('k/a.txt'), readdirSync(join(place, 'new'))]).toEqual([null, []])
})

test('what breaks off is not there', async () => {
  const files = folder(place)
  async function* broken() {
    yield Buffer.from('half')
    expect(await files.get('k/a.txt')).toBe(null)
    throw new Error('gone')
  }
  await expect(files.put('k/a.txt', broken())).rejects.toThrow('gone')
  expect(readdirSync(place)).toEqual([])
})

test('what a process left that ended while it wrote is removed with the file that it would have been', async () => {
  mkdirSync(join(place, 'k'))
  writeFileSync(join(place, 'k', '.a.txt.part'), 'half')
  const files = folder(place)
  expect([await files.get('k/a.txt'), await files.get('k/.a.txt.part')]).toEqual([null, null])
  await files.remove('k/a.txt')
  expect(readdirSync(place)).toEqual([])
})

test('no path leads out of the folder', async () => {
  const files = folder(join(place, 'in'))
  mkdirSync(join(place, 'in'))
  writeFileSync(join(place, 'secret.txt'), 'secret')
  for (const path of ['../secret.txt', '..', '', '.', 'a/../../secret.txt', join(place, 'secret.txt'), '..\\secret.txt', 'a\0b', 'C:x']) {
    expect(await files.get(path), path).toBe(null)
    await files.remove(path)
    await expect(files.put(path, pieces('x')), path).rejects.toThrow(TypeError)
  }
  expect(readFileSync(join(place, 'secret.txt'), 'utf8')).toBe('secret')
  expect(existsSync(join(place, 'in'))).toBe(true)
})

test('a folder is no file', async () => {
  const files = folder(place)
  await files.put('k/a.txt', pieces('x'))
  for (const path of ['k', 'k/a.txt/b', 'x'.repeat(300), 'x'.repeat(252)]) {
    expect(await files.get(path)).toBe(null)
    await files.remove(path)
  }
  expect((await files.get('k/a.txt'))?.size).toBe(1)
})
