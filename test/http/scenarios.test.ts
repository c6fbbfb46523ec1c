import { afterAll, describe, expect, it } from 'vitest'
import { play, type Scenario } from './scenario.js'
import { action, bulk, current, pageMethods, pressed } from './scenarios/action.js'
import { badBody } from './scenarios/bad-body.js'
import { door } from './scenarios/door.js'
import { exported } from './scenarios/export.js'
import { form } from './scenarios/form.js'
import { list } from './scenarios/list.js'
import { pages } from './scenarios/pages.js'
import { palette } from './scenarios/palette.js'
import { part } from './scenarios/part.js'
import { query } from './scenarios/query.js'
import { remove } from './scenarios/remove.js'
import { show } from './scenarios/show.js'
import { updateField } from './scenarios/update-field.js'
import { version } from './scenarios/version.js'
import { write } from './scenarios/write.js'
import { closeStores, type StoreName, stores } from './world.js'

afterAll(closeStores)

const all: Readonly<Record<string, readonly Scenario[]>> = {
  door,
  list,
  query,
  exported,
  part,
  palette,
  pages,
  form,
  show,
  write,
  updateField,
  version,
  remove,
  action,
  pageMethods,
  pressed,
  current,
  bulk,
  badBody,
}

describe.each(Object.keys(stores) as StoreName[])('over %s', (store) => {
  describe.each(Object.entries(all))('%s', (_, scenarios) => {
    for (const scenario of scenarios) {
      const test = scenario.fault === undefined ? it : it.fails
      test(scenario.name, () => play(scenario, store))
    }
  })
})

it('has no two scenarios of one name', () => {
  for (const scenarios of Object.values(all)) expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
})
