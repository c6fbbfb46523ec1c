import { defineCommand } from 'citty'
import { tablesReady } from '../crud/call/tables-ready.js'
import { examine, fewRows } from '../store/doctor.js'
import { loadPanel, namedPanel, panelFirst } from './panel-file.js'

export const doctor = defineCommand({
  meta: { name: 'doctor', description: 'Asks the databases which listings no index serves, and says which one would' },
  args: {
    ...panelFirst,
    all: { type: 'boolean', description: `Small tables too. Default: those of ${fewRows} rows or more` },
  },
  async run({ args }) {
    const { panel, own } = await loadPanel(namedPanel(args))
    try {
      // A resource may show one of the panel's own tables.
      await tablesReady(own)
      const found = await examine(own.realm, args.all ? 0 : fewRows)
      for (const { id, where, text } of found) console.log(`${id}  ${where}: ${text}`)
      if (found.length === 0) console.log('Every listing has the indexes that it asks for')
      else process.exitCode = 1
    } finally {
      await panel.close()
    }
  },
})
