import { expect, test } from 'vitest'
import { eachOnItsPage, type Now } from './world.js'

let world: Now['world']
let page: Now['page']
const { go } = eachOnItsPage((now) => {
  ;({ world, page } = now)
})

const towns = '/admin/resource/towns/crud'
/** What of a row's menu, a chip or a filter has the focus. */
const focused = () => page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.name ?? ''")

test('after a row was deleted from its menu, the focus is on the menu of the next one, or of the last', async () => {
  for (const id of [61, 62, 63]) world.db.exec(`insert into towns values (${id}, 'Town ${id}', 9, 0)`)
  await go(`${towns}?filter[name][contains]=Town+6`)
  for (const [name, next] of [
    ['Town 62', 'Actions for Town 63'],
    ['Town 63', 'Actions for Town 61'],
  ]) {
    await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
    await page.getByRole('button', { name: 'Delete', exact: true }).filter({ visible: true }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await expect.poll(focused).toBe(next)
  }
})

test('after a filter was removed, the focus is on the next chip, and without one in the list', async () => {
  await go(`${towns}?filter[name]=Town+07&filter[open]=1`)
  await page.locator('.chip a').first().press('Enter')
  await expect.poll(focused).toBe('Remove the filter Open: Yes')
  await page.keyboard.press('Enter')
  await page.locator('.scroller:focus').waitFor()
})
