// One of several processes that start together: says the secret that it found or made.
import { createJiti } from 'jiti'

const source = createJiti(import.meta.url)
const { panelStore } = await source.import('../../src/store/panel/open.ts')
const { openSqlStore } = await source.import('../../src/store/sql/open.ts')

const store = openSqlStore({ database: process.argv[2] ?? '' })
const secret = await panelStore(store).secret()
await store.close()
process.send?.(secret)
