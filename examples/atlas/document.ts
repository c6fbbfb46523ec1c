// The panel in a file of its own, for `daymark oag:generate --panel examples/atlas/document.ts`.
import { atlas } from './panel.js'

export default atlas(process.env.DATABASE_URL ?? 'sqlite:data/atlas.db')
