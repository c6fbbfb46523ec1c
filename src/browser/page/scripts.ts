import { swapped, whenShown } from './swapped.js'

/** Loads the scripts that parts of the page ask for. Each runs once, since the browser keeps modules by their address. They say by an event what they insert. */
export function scripts(): void {
  addEventListener('daymark-shown', ({ target }) => swapped(target as Element))
  whenShown(() => {
    for (const one of document.querySelectorAll<HTMLElement>('[data-script]'))
      for (const url of (one.dataset.script as string).split(' ')) import(url).catch(reportError)
  })
}
