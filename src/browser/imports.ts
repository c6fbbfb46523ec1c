// Sends the form of an import by script: the file stays chosen, whatever is wrong with it, and after it was only checked. The page of an
// import loads it, beside the page's script.
import { busy } from './page/busy.js'
import { parse, saidIn } from './page/fetch-page.js'
import { problem, text } from './page/parts.js'
import { signInPart } from './page/signed-out.js'

addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented || !form.matches('form.import')) return
  event.preventDefault()
  if (form.ariaBusy !== 'true') busy(form, event.submitter, () => send(form, event.submitter))
})
// What is said is of another file, or of something else to do with it. The choices for columns stay: the server heeds those for the same.
addEventListener('change', ({ target }) => {
  const input = target as HTMLInputElement
  if (!input.matches('form.import input')) return
  for (const one of document.querySelectorAll('#import-said > *')) if (!one.matches('.assigned')) one.remove()
})

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const { login } = document.body.dataset
  if (!(await isThere(form))) return say(problem(form.dataset.changed ?? ''))
  try {
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      headers: { accept: 'text/html', 'x-daymark-redirect': 'tell' },
      body: new FormData(form, submitter),
    })
    const to = response.headers.get('location')
    if (to !== null) {
      if (login !== undefined && new URL(to, location.href).pathname === login) say(signInPart(login))
      else location.assign(to)
      return
    }
    const markup = await response.text()
    const page = parse(markup)
    const said = page.querySelector('#import-said')
    if (!said) say(problem(saidIn(markup)))
    else {
      say(...said.childNodes)
      // A form whose key is used up has a new one.
      const once = page.querySelector<HTMLInputElement>('form.import [name=_once]')
      if (once) (form.elements.namedItem('_once') as HTMLInputElement).value = once.value
    }
  } catch {
    say(problem(text('lost')))
  }
}

/** Whether the file is as it was chosen: one that was corrected since, a browser does not send. Then it has to be chosen again. */
async function isThere(form: HTMLFormElement): Promise<boolean> {
  const input = form.querySelector<HTMLInputElement>('input[type=file]')
  try {
    await input?.files?.[0]?.slice(0, 1).arrayBuffer()
    return true
  } catch {
    // Else choosing the same one again would change nothing.
    if (input) input.value = ''
    return false
  }
}

function say(...what: readonly Node[]): void {
  const place = document.getElementById('import-said')
  place?.replaceChildren(...what)
  const first = place?.querySelector<HTMLElement>('.notice')
  first?.focus()
  first?.scrollIntoView({ block: 'nearest' })
}
