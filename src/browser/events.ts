import { whenShown } from './swapped.js'

/** An event by its name alone, or with what goes along. */
export type ClientEvent = string | { readonly name: string; readonly detail?: unknown }

/**
 * Dispatches client events on `window`, in their order: what a button names, or what the panel's answer lists under `events`. `{row-id}` in a name stands for
 * the key of the record that it is about.
 */
export function dispatch(events: readonly ClientEvent[], key?: string): void {
  for (const event of events) {
    const { name, detail } = typeof event === 'string' ? { name: event, detail: undefined } : event
    const own = key === undefined ? name : name.replaceAll('{row-id}', () => key)
    window.dispatchEvent(new CustomEvent(own, { detail }))
  }
}

type Act = (target: HTMLElement, detail: unknown) => void

/** What each kind of event does to the element that its name ends with, found when the event comes: its markup may be another one by then. */
const named: Readonly<Record<string, { readonly targets: string; readonly act: Act }>> = {
  'form-reset': { targets: 'form[id]', act: (form) => (form as HTMLFormElement).reset() },
  'form-submit': { targets: 'form[id]', act: (form) => (form as HTMLFormElement).requestSubmit() },
  'modal-toggled': { targets: 'dialog[id]', act: (dialog) => toggle(dialog as HTMLDialogElement) },
  'off-canvas-toggled': { targets: 'dialog[id]', act: (dialog) => toggle(dialog as HTMLDialogElement) },
  'popover-toggled': { targets: '[popover][id]', act: (popover) => popover.togglePopover() },
}

const known = new Set<string>()

/** Calls when the event of exactly this name is dispatched; once for each `mark`, however often a page shows the same. */
export function on(name: string, mark: string, heard: (detail: unknown) => void): void {
  const all = `${mark}\n${name}`
  if (known.has(all)) return
  known.add(all)
  addEventListener(name, (event) => heard((event as CustomEvent).detail))
}

/** Elements with an id answer to the events that name it. */
export function namedTargets(): void {
  whenShown((root) => {
    for (const [kind, { targets, act }] of Object.entries(named)) {
      for (const { id } of root.querySelectorAll<HTMLElement>(targets)) {
        on(`${kind}-${id}`, kind, (detail) => {
          const target = document.getElementById(id)
          if (target) act(target, detail)
        })
      }
    }
  })
}

function toggle(dialog: HTMLDialogElement): void {
  if (dialog.open) dialog.close()
  else dialog.showModal()
}
