import { whenShown } from './swapped.js'

/** Loads the scripts that parts of the page ask for. Each runs once, since the browser keeps modules by their address. */
export function scripts(): void {
  whenShown(() => {
    for (const one of document.querySelectorAll<HTMLElement>('[data-script]')) import(one.dataset.script as string).catch(reportError)
  })
}
