import { whenShown } from './swapped.js'

/** A client event: a name, or a name with a detail. */
export type ClientEvent = string | { readonly name: string; readonly detail?: unknown }

/**
 * Dispatches client events on `window`, in order: those a button names, or those an answer lists under `events`. `{row-id}` in a name
 * becomes the key of the record concerned.
 */
export function dispatch(events: readonly ClientEvent[], key?: string): void {
  for (const event of events) {
    const { name, detail } = typeof event === 'string' ? { name: event, detail: undefined } : event
    const own = key === undefined ? name : name.replaceAll('{row-id}', () => key)
    window.dispatchEvent(new CustomEvent(own, { detail }))
  }
}

type Act = (target: HTMLElement, detail: unknown) => void

/** What each kind of event does to the element whose id ends its name. Looked up on dispatch, since it may have been replaced. */
const named: Readonly<Record<string, { readonly targets: string; readonly act: Act }>> = {
  'form-reset': { targets: 'form[id]', act: (form) => (form as HTMLFormElement).reset() },
  'form-submit': { targets: 'form[id]', act: (form) => (form as HTMLFormElement).requestSubmit() },
  'modal-toggled': { targets: 'dialog[id]', act: (dialog) => toggle(dialog as HTMLDialogElement) },
  'off-canvas-toggled': { targets: 'dialog[id]', act: (dialog) => toggle(dialog as HTMLDialogElement) },
  'popover-toggled': { targets: '[popover][id]', act: (popover) => popover.togglePopover() },
}

const known = new Set<string>()

/** Listens for an event of exactly this name, once for each `mark`, however often a page shows the same element. */
export function on(name: string, mark: string, heard: (detail: unknown) => void): void {
  const all = `${mark}\n${name}`
  if (known.has(all)) return
  known.add(all)
  addEventListener(name, (event) => heard((event as CustomEvent).detail))
}

/** Makes elements with an id respond to the events that name them. */
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
