/** A file as it is read. */
export interface StoredFile {
  /** Its length in bytes. */
  readonly size: number
  /** Its bytes. Nothing is opened before they are asked for. */
  readonly content: AsyncIterable<Uint8Array>
  /**
   * Reads a part of it: the bytes from `first` to `last`, both included and counted from 0. Without it, files are sent whole, so that a
   * player cannot go to a place in them, nor a broken download go on.
   */
  part?(first: number, last: number): AsyncIterable<Uint8Array>
}

/**
 * Where the files of `file()` and `image()` fields are kept: a folder, as `folder` makes it, or a bucket of yours. The panel names each file
 * once, and never writes to it again.
 */
export interface FileStorage {
  /**
   * Keeps a file under a path of two segments: `Zk3…/Contract.pdf`. If `content` throws, or the process ends, nothing of it may ever be read.
   */
  put(path: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Finds a file; null: there is none, or the path is none that it could have. Paths may come from columns that your application fills. */
  get(path: string): Promise<StoredFile | null>
  /** Removes a file, if it is there. */
  remove(path: string): Promise<void>
}
