// The documentation page: loads and configures its viewer. Every setting that would make it call another host is off.
interface Viewer {
  createApiReference(at: Element, settings: object): unknown
}

const at = document.querySelector<HTMLElement>('#docs')
if (at) load(at)

function load(at: HTMLElement): void {
  const script = document.createElement('script')
  script.src = at.dataset.viewer ?? ''
  script.addEventListener('load', () => show(at))
  document.head.append(script)
}

function show(at: HTMLElement): void {
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
