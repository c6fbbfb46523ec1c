// The documentation page: loads and configures its viewer. Every setting that would make it call another host is off.
interface Viewer {
  createApiReference(at: Element, settings: object): unknown
}

const at = document.querySelector<HTMLElement>('#docs')
if (at) load(at)

function load(at: HTMLElement): void {
  // The viewer brings a `main` of its own.
  const main = at.closest('main')
  const place = document.createElement('div')
  place.id = main?.id ?? ''
  place.append(...(main?.childNodes ?? []))
  main?.replaceWith(place)
  const script = document.createElement('script')
  script.src = at.dataset.viewer ?? ''
  script.addEventListener('load', () => show(at))
  document.head.append(script)
}

function show(at: HTMLElement): void {
  const mended = new MutationObserver(() => mend(at))
  mended.observe(at, { childList: true, subtree: true, attributeFilter: ['aria-selected'] })
  const { url, title, theme } = at.dataset
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  ;(globalThis as unknown as { Scalar: Viewer }).Scalar.createApiReference(at, {
    url,
    metaData: { title },
    layout: 'modern',
    theme: 'none',
    forceDarkModeState: dark ? 'dark' : 'light',
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    proxyUrl: '',
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    documentDownloadType: 'direct',
    defaultOpenFirstTag: false,
    operationTitleSource: 'summary',
    persistAuth: false,
  })
}

/** What the viewer tells assistive technologies wrongly. Each of these is found once, since it is another one afterwards. */
function mend(at: HTMLElement): void {
  for (const one of at.querySelectorAll('button[aria-selected]:not([role])')) {
    if (one.ariaSelected === 'true') one.ariaCurrent = 'true'
    else one.removeAttribute('aria-current')
    one.removeAttribute('aria-selected')
  }
  for (const one of at.querySelectorAll('button[role=search], aside[role=navigation]')) one.removeAttribute('role')
  // Among the languages of an example, what leads to the rest of them.
  for (const one of at.querySelectorAll('[role=tablist] button:not([role])')) one.role = 'tab'
  // "Show More" is what is read on it, and what it is named by the viewer does not contain.
  for (const one of at.querySelectorAll('button.show-more[aria-label^="Show all"]'))
    one.ariaLabel = `${one.textContent?.trim()}: ${one.ariaLabel?.slice('Show all '.length)}`
  for (const one of at.querySelectorAll<HTMLElement>('ul.endpoints:not([tabindex])')) one.tabIndex = 0
}
