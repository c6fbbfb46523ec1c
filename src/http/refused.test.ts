import { connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { english, translator } from '../base/messages.js'
import { refuseOn } from './refused.js'

/** What somebody gets on a connection that is refused with this code of node. */
async function refused(code: string, isFree: boolean): Promise<string> {
  const server = createServer((socket: Socket) => refuseOn(socket, Object.assign(new Error(code), { code }), isFree, translator(english)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect((server.address() as { port: number }).port, '127.0.0.1')
  let text = ''
  for await (const piece of client) text += piece
  server.close()
  return text
}

test.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'Request Timeout', 'timedOut', 'The request did not arrive in time'],
  ['HPE_HEADER_OVERFLOW', 431, 'Request Header Fields Too Large', 'headTooLarge', 'The address and the headers are too large'],
  ['HPE_INVALID_METHOD', 400, 'Bad Request', 'malformed', 'This is not a valid HTTP request'],
])('%s is a %s', async (node, status, reason, code, message) => {
  const [head = '', body = ''] = (await refused(node, true)).split('\r\n\r\n')
  expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status} ${reason}`)
  expect(head).toMatch(/^connection: close$/m)
  expect(JSON.parse(body)).toMatchObject({ status, type: `urn:daymark:error:${code}`, message })
})

test('in the middle of another answer, the connection ends and no more', async () => {
  expect(await refused('HPE_INVALID_METHOD', false)).toBe('')
})
