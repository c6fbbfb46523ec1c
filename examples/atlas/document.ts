// The panel as a file of its own, for the command that writes its document: `daymark oag:generate --panel examples/atlas/document.ts`.
import { atlas } from './panel.js'

export default atlas(process.env.DATABASE_URL ?? 'sqlite:data/atlas.db')
