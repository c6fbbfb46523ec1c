// Shows at the bell how many notifications are unread, and in place of a page the last ones. The pages of panels that notify users load it.
import { fetchPage, parse } from './page/fetch-page.js'
import { send, token } from './page/send.js'
import { remember, remembered } from './page/session.js'

// In milliseconds. Asking keeps a session alive, so nobody asks for a page that is not used.
const every = 60_000
const longestPause = 1_800_000
const idle = 300_000
const most = 5

const bell = document.querySelector<HTMLAnchorElement>('.bell')
if (bell) ringing(bell)

function ringing(bell: HTMLAnchorElement): void {
  const kept = `daymark-unread ${bell.pathname}`
  const title = bell.title
  // Whoever looks as another user does so in the same session.
  const of = `${token()}${document.querySelector('.viewing') !== null}`
  let used = Date.now()
  let asked = 0
  let pause = every
  let waits = false

  const page = document.querySelector<HTMLElement>('.record[data-unread]')
  if (page) know(Number(page.dataset.unread))
  else recall()
  later()
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, () => {
      used = Date.now()
      later()
    })
  document.addEventListener('visibilitychange', later)
  // What is opened, marked or deleted changes how many are unread.
  document.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('.notifications, [data-unread]')) remember(kept, null)
  })
  showing(bell, know)

  /** Asks when it is time to, unless nobody looks. */
  function later(): void {
    if (waits || document.hidden || pause === 0 || Date.now() - used > idle) return
    waits = true
    setTimeout(ask, Math.max(0, asked + pause - Date.now()))
  }

  async function ask(): Promise<void> {
    waits = false
    if (document.hidden) return
    asked = Date.now()
    try {
      const { ok, status, body } = await send('GET', bell.href)
      if (ok) know(body.meta.unread)
      // Who is signed out, or may not ask, will not get another answer.
      pause = ok ? every : status >= 400 && status < 500 && status !== 429 ? 0 : longer()
    } catch {
      pause = longer()
    }
    later()
  }

  function longer(): number {
    return Math.min(pause * 2, longestPause)
  }

  /** For the next page, which need not ask at once. */
  function know(unread: number): void {
    asked = Date.now()
    remember(kept, JSON.stringify([of, unread, asked]))
    show(unread)
  }

  function recall(): void {
    const [whose, unread, at] = JSON.parse(remembered(kept) ?? '[]') as [string?, number?, number?]
    if (whose !== of || unread === undefined || at === undefined || Date.now() - at > every) return
    asked = at
    show(unread)
  }

  function show(unread: number): void {
    const count = bell.querySelector('.count') as HTMLElement
    const said = (bell.dataset.unread as string).replace('{count}', () => unread.toLocaleString(document.documentElement.lang))
    count.hidden = unread === 0
    count.textContent = unread > 99 ? '99+' : String(unread)
    bell.title = bell.ariaLabel = unread > 0 ? `${title}, ${said}` : title
    // On small screens the bell is in the menu.
    const burger = document.querySelector<HTMLElement>('.burger')
    burger?.toggleAttribute('data-unread', unread > 0)
    if (unread > 0) burger?.setAttribute('aria-description', said)
    else burger?.removeAttribute('aria-description')
  }
}

/** Opens the last ones in place, where a plain click would lead to their page. */
function showing(bell: HTMLAnchorElement, know: (unread: number) => void): void {
  const list = document.createElement('div')
  let wasOpen = false
  list.className = 'bell-list'
  list.popover = 'auto'
  list.role = 'dialog'
  list.ariaLabel = bell.title
  list.tabIndex = -1
  list.addEventListener('toggle', ({ newState }) => {
    bell.ariaExpanded = String(newState === 'open')
  })
  // A click beside the list closes it, also one on the bell.
  bell.addEventListener('pointerdown', () => {
    wasOpen = list.matches(':popover-open')
  })
  bell.after(list)
  bell.ariaHasPopup = 'dialog'
  bell.ariaExpanded = 'false'
  bell.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || bell.ariaCurrent === 'page') return
    event.preventDefault()
    const closes = wasOpen
    wasOpen = false
    if (closes) return
    list.ariaBusy = 'true'
    list.replaceChildren(wholeList())
    list.showPopover()
    list.focus()
    load().finally(() => {
      list.ariaBusy = null
    })
  })

  async function load(): Promise<void> {
    const words = document.createElement('p')
    try {
      const page = parse(await fetchPage(bell.href))
      know(Number(page.querySelector<HTMLElement>('.record')?.dataset.unread))
      const found = page.querySelector('.notifications')
      for (const one of [...(found?.children ?? [])].slice(most)) one.remove()
      words.textContent = page.querySelector('.empty h2')?.textContent ?? ''
      list.prepend(found ? document.adoptNode(found) : words)
    } catch (thrown) {
      words.textContent = (thrown as Error).message
      list.prepend(words)
    }
  }

  function wholeList(): HTMLAnchorElement {
    const all = document.createElement('a')
    all.href = bell.href
    all.textContent = bell.dataset.all as string
    return all
  }
}
