import { resolve } from 'node:path'
import { stringify } from 'yaml'
import { defineForDocuments } from '../base/document-only.js'
import type { OagPlugin } from '../oag.js'
import { documentOf } from '../openapi/document.js'
import { loadPanel } from './panel-file.js'
import { Stop } from './stop.js'

/** A file of the document: its path and its current content. */
export interface DocumentFile {
  readonly path: string
  readonly text: string
}

/** The panel's document in both formats. The panel is loaded, but neither opened nor served. */
export async function documentFiles(
  file: string | undefined,
  out: string | undefined,
): Promise<{ readonly yaml: DocumentFile; readonly json: DocumentFile }> {
  defineForDocuments()
  const { panel, own } = await loadPanel(file)
  try {
    const plugin = own.plugins.find((one): one is OagPlugin => one.id === 'oag')
    if (!plugin) throw new Stop("This panel has no documentation: add it with definePanel({ plugins: [oag()] }), oag from 'daymark/oag'")
    const document = documentOf(own.house, plugin.settings)
    const path = (out ?? plugin.settings.path).replace(/\.json$/, '.yaml')
    const yaml = /\.ya?ml$/.test(path) ? path : `${path}.yaml`
    return {
      yaml: { path: resolve(yaml), text: stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }) },
      json: { path: resolve(yaml.replace(/\.ya?ml$/, '.json')), text: `${JSON.stringify(document, null, 2)}\n` },
    }
  } finally {
    await panel.close()
  }
}
