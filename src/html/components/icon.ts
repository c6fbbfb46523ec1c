import { type Html, html, raw, safeUrl } from '../../base/html.js'
import { type IconName, iconPaths } from '../../base/icon-paths.js'

const made = new Map<IconName, Html>()

/** A decorative icon beside a text that says the same: hidden from screen readers. */
export function icon(name: IconName): Html {
  let one = made.get(name)
  if (!one) {
    one = raw(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${iconPaths[name]}"/></svg>`)
    made.set(name, one)
  }
  return one
}

/** The logo of Daymark: two flat triangles, apex to apex. */
export const daymarkLogo: Html = raw(
  '<svg class="mark" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M3 3h18l-9 9z"/><path d="M12 12l9 9H3z" opacity=".6"/></svg>',
)

/** The panel's own logo, else Daymark's. */
export function logoOf({ logo }: { readonly logo: string | null }): Html {
  return logo === null ? daymarkLogo : html`<img class="mark" src="${safeUrl(logo)}" alt="">`
}

// Lists repeat these on every row, so each is drawn once a page and referred to.
const shared = ['view', 'edit', 'copy', 'delete', 'arrow-up', 'arrow-down', 'first', 'last', 'plus'] as const
export type SharedIcon = (typeof shared)[number]

/** The symbols that `sharedIcon` refers to. Each framed page contains them once. */
export const iconSymbols: Html = raw(
  `<svg hidden>${shared.map((name) => `<symbol id="icon-${name}" viewBox="0 0 24 24"><path d="${iconPaths[name]}"/></symbol>`).join('')}</svg>`,
)

const uses = Object.fromEntries(
  shared.map((name) => [name, raw(`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"/></svg>`)]),
) as Record<SharedIcon, Html>

/** An icon that a page repeats many times. */
export function sharedIcon(name: SharedIcon): Html {
  return uses[name]
}
