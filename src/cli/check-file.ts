import { existsSync, statSync } from 'node:fs'
import { Stop } from './stop.js'

/** @throws Stop for a path that leads to no file */
export function checkFile(path: string): void {
  if (!existsSync(path)) throw new Stop(`There is no file ${path}`)
  if (statSync(path).isDirectory()) throw new Stop(`${path} is a folder: name a file in it`)
}
