import { badge, definePage, definePanel, metric, progress } from 'daymark'
import { testPanel } from 'daymark/testing'
import { expect, test } from 'vitest'

function world(given: unknown) {
  const own = { label: 'Own', value: (() => given) as () => undefined }
  const components = [
    metric({ name: 'measured', ...own }),
    badge({ name: 'said', ...own }),
    progress({ name: 'done', ...own }),
    progress({ name: 'most', label: 'Most', value: 5, max: own.value }),
    // One that is written down is refused at the start where it is missing.
    metric({ name: 'standing', label: 'Standing', value: (given ?? null) as number | null }),
  ]
  return testPanel(definePanel({ auth: 'open', resources: [], pages: [definePage({ uri: 'own', title: 'Own', components })] }))
}

test.each<[what: string, given: unknown]>([
  ['a number that is none', Number.NaN],
  ['a number beyond all', Number.POSITIVE_INFINITY],
  ['nothing', undefined],
  ['none', null],
])('%s is no value of a page: a dash for people, null for programs', async (_, given) => {
  const app = world(given)
  const none = { value: null }
  expect((await app.get('/admin/page/own')).json()).toMatchObject({
    data: { measured: none, said: none, done: { value: null, max: 100 }, most: { value: 5, max: null }, standing: none },
  })
  const text = (await app.html.get('/admin/page/own')).text.replaceAll('&#8212;', '—')
  expect(text).not.toMatch(/NaN|Infinity|undefined|∞/)
  expect(text).toMatch(/id="measured".*?—/)
  expect(text).toContain('— of 100')
  expect(text).toContain('5 of —')
})
