import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FileStorage } from './storage.js'

/**
 * Keeps files in a folder, which is made with the first of them. Several processes may share it.
 *
 * @param path absolute, or relative to where the process was started
 */
export function folder(path: string): FileStorage {
  const root = resolve(path)
  return Object.freeze({
    async put(file: string, content: AsyncIterable<Uint8Array>) {
      const target = within(root, file)
      if (target === null) throw new TypeError(`"${file}" is not the path of a file`)
      const made = await mkdir(dirname(target), { recursive: true })
      const part = partOf(target)
      try {
        const handle = await open(part, 'w')
        try {
          await writeFile(handle, content)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(part, target)
        await syncNames(dirname(target), made === undefined ? dirname(target) : dirname(made))
      } catch (thrown) {
        await rm(part, { force: true })
        await rm(target, { force: true })
        await removeEmpty(root, dirname(target))
        throw thrown
      }
    },
    async get(file: string) {
      const target = within(root, file)
      if (target === null) return null
      const found = await stat(target).catch(nothingThere)
      return found?.isFile()
        ? { size: found.size, content: bytesOf(target), part: (start: number, end: number) => bytesOf(target, { start, end }) }
        : null
    },
    async remove(file: string) {
      const target = within(root, file)
      if (target === null) return
      await rm(target).catch(nothingThere)
      // What a process has left that ended while it wrote.
      await rm(partOf(target)).catch(nothingThere)
      await removeEmpty(root, dirname(target))
    },
  })
}

/** Opens the file when its bytes are asked for, and closes it where they are not all taken. */
const bytesOf = (target: string, part?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => createReadStream(target, part)[Symbol.asyncIterator](),
})

/** What is being written has another name, by which nobody can ask for it, so that a file is whole or not there. */
const partOf = (target: string) => join(dirname(target), `.${basename(target)}.part`)

/** The file's place; null: its path leads elsewhere, or is none. */
function within(root: string, file: string): string | null {
  const segments = file.split('/')
  return segments.every((one) => one !== '' && !one.startsWith('.') && !/[\\\0]/.test(one)) && !/^[a-z]:/i.test(file)
    ? join(root, ...segments)
    : null
}

/** Writes to the disk which names are in a folder, and in those above it up to another: a file without its name would be lost in a crash. */
async function syncNames(from: string, to: string): Promise<void> {
  try {
    const handle = await open(from)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (thrown) {
    if (!noSync.includes((thrown as NodeJS.ErrnoException).code)) throw thrown
  }
  if (from !== to) await syncNames(dirname(from), to)
}

// What says that a platform, or a disk, syncs no folder, or that the process may not list it.
const noSync: readonly unknown[] = ['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']

/** Leaves no folder behind that held one file. */
async function removeEmpty(root: string, made: string): Promise<void> {
  if (made !== root) await rmdir(made).catch(() => {})
}

// What says that a path is none of a file. The last one is node's own, for a folder.
const noFile: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_FS_EISDIR']

function nothingThere(thrown: NodeJS.ErrnoException): null {
  if (noFile.includes(thrown.code)) return null
  throw thrown
}
