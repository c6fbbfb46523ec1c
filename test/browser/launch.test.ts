import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><p id="said">from the server</p><script>said.textContent = "from a script"</script>')
})
let browser: Browser
let url: string

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  server.close()
})

test.each([
  { javaScriptEnabled: true, said: 'from a script' },
  { javaScriptEnabled: false, said: 'from the server' },
])('with JavaScript $javaScriptEnabled a page shows what is $said', async ({ javaScriptEnabled, said }) => {
  const context = await browser.newContext({ javaScriptEnabled })
  const page = await context.newPage()
  await page.goto(url)
  expect(await page.locator('#said').textContent()).toBe(said)
  await context.close()
})
