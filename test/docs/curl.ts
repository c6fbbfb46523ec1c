/** A call of curl as a document shows it. */
interface Curl {
  readonly line: number
  readonly request: Request
  /** The status that a comment behind it names. */
  readonly status: number | null
}

/** The fenced blocks of a document, in their order. */
interface Fence {
  readonly language: string
  /** The line of its first line, from 1. */
  readonly line: number
  readonly text: string
}

function fences(text: string): Fence[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map((found) => ({
    language: found[1] as string,
    line: text.slice(0, found.index).split('\n').length + 1,
    text: found[2] as string,
  }))
}

/** What a shell keeps between commands: variables, and the cookies in a file. */
interface Shell {
  readonly variables: Map<string, string>
  readonly cookies: Map<string, string>
}

/** The calls of curl in a block of shell commands. */
function curls({ language, line, text }: Fence, shell: Shell): (() => Curl)[] {
  if (language !== 'sh') return []
  const commands = text.replaceAll('\\\n', '  ').split('\n')
  return commands.flatMap((command, i) => (command.startsWith('curl ') ? [() => curl(command, line + i, shell)] : []))
}

function curl(command: string, line: number, { variables, cookies }: Shell): Curl {
  const [call = '', comment = ''] = command.split(/\s#\s/)
  const [, ...words] = [...call.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, single, double, bare]) =>
      single ?? (double?.replace(/\\(.)/g, '$1') ?? (bare as string)).replace(/\$(\w+)/g, (_, name) => variables.get(name) ?? ''),
  )
  const headers = new Headers()
  const data: string[] = []
  let url = ''
  let method: string | undefined
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-H') {
      const [name = '', value = ''] = (words.shift() as string).split(/:\s*(.*)/s)
      headers.append(name, value)
    } else if (word === '-X') method = words.shift() as string
    else if (word === '-d') data.push(words.shift() as string)
    else if (word === '-b') {
      words.shift()
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    } else if (word === '-c') words.shift()
    else if (/^https?:/.test(word)) url = word
    else if (!/^-[gi]$/.test(word)) throw new Error(`Line ${line}: this test does not know curl's ${word}`)
  }
  if (data.length > 0 && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded')
  const body = data.length > 0 ? data.join('&') : null
  const status = /^\d{3}/.exec(comment)
  return {
    line,
    request: new Request(url, { method: method ?? (body ? 'POST' : 'GET'), headers, body }),
    status: status && Number(status[0]),
  }
}

// What differs with each run.
const volatile = new Set(['requestId', 'createdAt', 'updatedAt'])

/** Where an answer is not what a document says; `…` stands for anything, as a name for any further names. */
export function difference(shown: unknown, given: unknown, at = ''): string | null {
  if (typeof shown === 'string' && shown.includes('…')) {
    const pattern = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return typeof given === 'string' && new RegExp(`^${pattern.join('.*')}$`, 's').test(given) ? null : `${at}: ${JSON.stringify(given)}`
  }
  if (typeof shown !== 'object' || shown === null) return Object.is(shown, given) ? null : `${at}: ${JSON.stringify(given)}`
  if (typeof given !== 'object' || given === null) return `${at}: ${JSON.stringify(given)}`
  const [one, other] = [shown as Record<string, unknown>, given as Record<string, unknown>]
  const names = new Set([...Object.keys(one), ...('…' in one ? [] : Object.keys(other))])
  names.delete('…')
  for (const name of names) {
    if (!(name in one)) return `${at}.${name}: not shown`
    if (volatile.has(name) && typeof other[name] === 'string') continue
    const found = difference(one[name], other[name], `${at}.${name}`)
    if (found !== null) return found
  }
  return null
}

/** Sends every call of curl in a document and says where an answer is not what stands below it. */
export async function runDocument(
  file: string,
  text: string,
  send: (request: Request, line: number) => Promise<Response>,
): Promise<{ readonly sent: number; readonly faults: readonly string[] }> {
  const faults: string[] = []
  const shell: Shell = { variables: new Map(), cookies: new Map() }
  const all = fences(text)
  let sent = 0
  for (const [i, fence] of all.entries()) {
    const answers = shownBelow(all.slice(i + 1))
    for (const next of curls(fence, shell)) {
      const { request, line, status } = next()
      const response = await send(request, line)
      const body = await response.text()
      remember(shell, response, body)
      sent++
      const say = (what: string) => faults.push(`${file}:${line} ${request.method} ${request.url}: ${what}`)
      const shown = answers.json && JSON.parse(answers.json)
      const expected = status ?? shown?.status ?? (answers.http ? Number(answers.http.split(' ')[1]) : 200)
      if (response.status !== expected) say(`${response.status}, not ${expected}`)
      for (const header of answers.http ? headerFaults(answers.http, response) : []) say(header)
      const found = shown && difference(shown, JSON.parse(body))
      if (found) say(found)
    }
  }
  return { sent, faults }
}

/** What stands below a block of commands and before the next one: the head and the body of the answer. */
function shownBelow(rest: readonly Fence[]): { readonly http: string | undefined; readonly json: string | undefined } {
  const next = rest.findIndex(({ language }) => language === 'sh')
  const below = next < 0 ? rest : rest.slice(0, next)
  const text = (wanted: string) => below.find(({ language }) => language === wanted)?.text
  return { http: text('http'), json: text('json') }
}

function headerFaults(text: string, { headers }: Response): string[] {
  const [, ...shown] = text.trim().split('\n')
  return shown.filter((header) => {
    const [name = '', value = ''] = header.split(/:\s*(.*)/)
    const given = headers.get(name)
    return name === 'etag' ? !/^"[0-9a-f]{32}"$/.test(given ?? '') : given !== value
  })
}

/** Tokens become the variables that the next commands use; cookies go into the file. */
function remember({ variables, cookies }: Shell, { headers }: Response, body: string): void {
  for (const cookie of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  const { token, refreshToken } = body.startsWith('{') ? JSON.parse(body) : {}
  if (token) variables.set('TOKEN', token)
  if (refreshToken) variables.set('REFRESH_TOKEN', refreshToken)
}
